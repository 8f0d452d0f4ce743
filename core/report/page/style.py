"""The look of the report: the window's colours, one column that fits a phone, and paper."""

LIGHT = """
--bg:#f3f4f7;--panel:#fff;--line:#dde1e7;--text:#1b2330;--muted:#626c7f;--oracle:#2b6cee;--cached:#b45f06;--bad:#d1242f;
--bad-bg:#fdecec;--good:#1a7f4b;--good-bg:#e5f4ec;--chip:#eef0f4;"""
DARK = """
--bg:#12151a;--panel:#1a1e25;--line:#2a303a;--text:#e5e9ef;--muted:#929cab;--oracle:#6ea0ff;--cached:#f0a83c;--bad:#ff6b6b;
--bad-bg:#3a1d22;--good:#57c98a;--good-bg:#16301f;--chip:#252a33;"""

STYLE = (
    """
:root{color-scheme:light dark;"""
    + LIGHT
    + """}
@media (prefers-color-scheme:dark){:root{"""
    + DARK
    + """}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--text);font:15px/1.5 system-ui,-apple-system,"Segoe UI","Noto Sans","Noto Sans SC",
"PingFang SC","Microsoft YaHei","WenQuanYi Micro Hei",sans-serif}
main{max-width:1000px;margin:0 auto;padding:20px 16px 40px}
h1{font-size:20px;margin:0 0 2px}
h2{font-size:16px;margin:0 0 10px}
h3{font-size:14px;margin:14px 0 6px}
p{margin:6px 0;overflow-wrap:anywhere}
section,header{background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:16px 18px;margin:0 0 14px}
header{border-left:6px solid var(--muted)}
header.good{border-left-color:var(--good)}
header.bad{border-left-color:var(--bad)}
.badge{display:inline-block;border-radius:5px;padding:2px 9px;margin-right:8px;font-weight:600;font-size:14px;background:var(--chip)}
.badge.good{background:var(--good-bg);color:var(--good)}
.badge.bad{background:var(--bad-bg);color:var(--bad)}
.lead{font-size:16px}
.muted{color:var(--muted)}
.small{font-size:13px}
code,pre,.mono{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:13px}
pre{background:var(--chip);border-radius:6px;padding:9px 11px;margin:6px 0;white-space:pre-wrap;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:max-content 1fr;gap:3px 16px;margin:6px 0}
dt{color:var(--muted)}
dd{margin:0;overflow-wrap:anywhere}
ul{margin:6px 0;padding-left:20px}
li{overflow-wrap:anywhere}
.scroll{overflow-x:auto;margin:6px 0}
table{border-collapse:collapse;width:100%;font-size:13.5px;font-variant-numeric:tabular-nums}
th{text-align:left;font-weight:600;color:var(--muted);font-size:12.5px;white-space:nowrap}
th,td{padding:5px 12px 5px 0;border-bottom:1px solid var(--line);vertical-align:top}
tr:last-child td{border-bottom:0}
.num{text-align:right;white-space:nowrap}
.nowrap{white-space:nowrap}
.bad-text{color:var(--bad);font-weight:600}
.good-text{color:var(--good);font-weight:600}
.oracle{color:var(--oracle)}
.cached{color:var(--cached)}
.maps{display:grid;grid-template-columns:repeat(auto-fit,minmax(270px,1fr));gap:14px;margin:8px 0}
figure{margin:0}
figcaption{font-size:13px;color:var(--muted);margin:0 0 4px}
svg{display:block;width:100%;height:auto}
svg text{fill:var(--muted);font-family:ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace}
.pixels{image-rendering:pixelated}
.strip{line-height:2;margin:6px 0}
.tok{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--chip);border-radius:3px;padding:2px 1px;margin-right:1px;font-size:13px}
.tok.gen{background:none;box-shadow:inset 0 0 0 1px var(--line)}
.tok.sensitive{text-decoration:underline;text-decoration-thickness:2px;text-underline-offset:3px}
.tok.over{background:var(--bad-bg);color:var(--bad)}
.tok.first{box-shadow:inset 0 0 0 2px var(--bad)}
.key{display:inline-block;margin-right:16px}
.cause{border-top:1px solid var(--line);padding-top:10px;margin-top:12px}
.cause:first-of-type{border-top:0;margin-top:0;padding-top:0}
details summary{cursor:pointer;color:var(--muted)}
@media (max-width:560px){main{padding:8px}section,header{padding:12px}dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:6px}
.phone-gone{display:none}.wide svg{min-width:640px}}
@media print{:root{"""
    + LIGHT
    + """--bg:#fff}body{font-size:11pt}main{max-width:none;padding:0}section,header{border-radius:0;border-width:0 0 1px;padding:8px 0}
header{border-left-width:6px;padding-left:10px}.maps{grid-template-columns:repeat(3,1fr)}figure,tr,.cause{break-inside:avoid}h2,h3{break-after:avoid}.scroll{overflow:visible}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
"""
)
