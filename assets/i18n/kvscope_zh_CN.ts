<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AttentionMaps</name>
    <message>
        <source>Attention of both lanes</source>
        <translation>两路的注意力</translation>
    </message>
    <message>
        <source>mask</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>Who may see whom in one lane and not in the other</source>
        <translation>哪些查询只在其中一路看得到哪些键</translation>
    </message>
    <message>
        <source>log</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>Colours by the logarithm of the weight</source>
        <translation>按权重的对数着色</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Colours as far as the weights go, instead of always from 0 to 1</source>
        <translation>颜色范围随权重而定，而不总是从 0 到 1</translation>
    </message>
    <message>
        <source>fit</source>
        <translation>适应</translation>
    </message>
    <message>
        <source>Show the whole map (double click, or 0)</source>
        <translation>显示整张图（双击，或按 0）</translation>
    </message>
    <message>
        <source>Oracle</source>
        <translation>基准</translation>
    </message>
    <message>
        <source>whole prefix</source>
        <translation>完整前缀</translation>
    </message>
    <message>
        <source>Cached</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>new tokens only</source>
        <translation>仅新词元</translation>
    </message>
    <message>
        <source>oracle</source>
        <translation>基准</translation>
    </message>
    <message>
        <source>cached</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>{lane} {value}</source>
        <translation>{lane} {value}</translation>
    </message>
    <message>
        <source>Mask difference</source>
        <translation>掩码差异</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差值</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>max {value} at ({query}, {key})</source>
        <translation>最大 {value}，位于 ({query}, {key})</translation>
    </message>
    <message>
        <source>point at a cell to read it out, click to keep it</source>
        <translation>指向单元格可读数，单击可固定</translation>
    </message>
    <message>
        <source>{index} “{text}”</source>
        <translation>{index} “{text}”</translation>
    </message>
    <message>
        <source>layer {layer} · head {head}</source>
        <translation>第 {layer} 层 · 第 {head} 头</translation>
    </message>
    <message>
        <source>query {token}</source>
        <translation>查询 {token}</translation>
    </message>
    <message>
        <source>key {token}</source>
        <translation>键 {token}</translation>
    </message>
    <message>
        <source>only the cached lane may look there</source>
        <translation>只有缓存一路可以看到这里</translation>
    </message>
    <message>
        <source>only the oracle may look there</source>
        <translation>只有基准可以看到这里</translation>
    </message>
    <message>
        <source>not seen by this query</source>
        <translation>该查询看不到此键</translation>
    </message>
    <message>
        <source>position told {told}, expected {expected}</source>
        <translation>得到的位置编号 {told}，应为 {expected}</translation>
    </message>
</context>
<context>
    <name>AttentionPanel</name>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>layer {layer} · head {head} · each step adds the rows of its new tokens</source>
        <translation>第 {layer} 层 · 第 {head} 头 · 每步加入新词元的行</translation>
    </message>
    <message>
        <source>log scale</source>
        <translation>对数刻度</translation>
    </message>
    <message>
        <source>linear scale</source>
        <translation>线性刻度</translation>
    </message>
    <message>
        <source>linked zoom</source>
        <translation>联动缩放</translation>
    </message>
    <message>
        <source>outlined: the recorded mask</source>
        <translation>轮廓：已记录的掩码</translation>
    </message>
    <message>
        <source>outlined: causal by position, no mask is recorded</source>
        <translation>轮廓：按位置因果，未记录掩码</translation>
    </message>
    <message>
        <source>mask: {names}</source>
        <translation>掩码：{names}</translation>
    </message>
</context>
<context>
    <name>CauseCard</name>
    <message>
        <source>inferred</source>
        <translation>推断</translation>
    </message>
    <message>
        <source>cause {number} of {count}</source>
        <translation>第 {number} 个原因，共 {count} 个</translation>
    </message>
    <message>
        <source>the repair fits {causes} as well</source>
        <translation>这一修复同样符合 {causes}</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>Go to this place</source>
        <translation>转到该位置</translation>
    </message>
    <message>
        <source>Take back</source>
        <translation>撤回修复</translation>
    </message>
    <message>
        <source>Apply and go on</source>
        <translation>应用并继续</translation>
    </message>
    <message>
        <source>Let this repair stand, and see what remains of the difference and what causes it</source>
        <translation>保留这一修复，看差异还剩多少、由什么引起</translation>
    </message>
    <message>
        <source>Less</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>证据</translation>
    </message>
    <message>
        <source>What the cause is told by</source>
        <translation>据以判断原因的证据</translation>
    </message>
    <message>
        <source>Told by its signature alone: no repair was possible here, so it is not proven.</source>
        <translation>仅凭特征判断：此处无法修复，因此未经证明。</translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <source>No command has these letters.</source>
        <translation>没有匹配的命令。</translation>
    </message>
    <message>
        <source>↑ ↓ choose  ·  Enter run  ·  Esc close</source>
        <translation>↑ ↓ 选择  ·  回车 执行  ·  Esc 关闭</translation>
    </message>
    <message>
        <source>Type a command</source>
        <translation>输入命令</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
</context>
<context>
    <name>Commands</name>
    <message>
        <source>Traces and targets (*.kvtrace *.part *.kld *.json *.py *.gguf);;Traces (*.kvtrace *.part *.kld *.json);;Target files (*.py *.gguf);;All files (*)</source>
        <translation>轨迹与目标 (*.kvtrace *.part *.kld *.json *.py *.gguf);;轨迹 (*.kvtrace *.part *.kld *.json);;目标文件 (*.py *.gguf);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Open a trace or a target, or two traces to compare</source>
        <translation>打开一个轨迹或目标，或打开两个轨迹来比较</translation>
    </message>
    <message>
        <source>Open a model folder</source>
        <translation>打开模型文件夹</translation>
    </message>
    <message>
        <source>Traces (*.kvtrace)</source>
        <translation>轨迹 (*.kvtrace)</translation>
    </message>
    <message>
        <source>Save the trace</source>
        <translation>保存轨迹</translation>
    </message>
    <message>
        <source>Save a repaired copy</source>
        <translation>保存修复后的副本</translation>
    </message>
    <message>
        <source>Saved {name}.</source>
        <translation>已保存 {name}。</translation>
    </message>
    <message>
        <source>Pictures (*.png)</source>
        <translation>图片 (*.png)</translation>
    </message>
    <message>
        <source>Save a picture of the window</source>
        <translation>保存窗口图片</translation>
    </message>
    <message>
        <source>The picture could not be written to {path}.</source>
        <translation>无法将图片写入 {path}。</translation>
    </message>
    <message>
        <source>The command that repeats this run is in the clipboard.</source>
        <translation>重现此次运行的命令已复制到剪贴板。</translation>
    </message>
    <message>
        <source>Both texts stand side by side once the run has ended.</source>
        <translation>运行结束后，两段文本会并排显示。</translation>
    </message>
</context>
<context>
    <name>ConsentDialog</name>
    <message>
        <source>Run this file?</source>
        <translation>运行此文件？</translation>
    </message>
    <message>
        <source>Show file</source>
        <translation>查看文件</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Don’t run</source>
        <translation>不运行</translation>
    </message>
    <message>
        <source>Run {name}?</source>
        <translation>运行 {name}？</translation>
    </message>
    <message>
        <source>Opening a target file means running it: it is a program, it runs with your rights, and so does whatever it imports. Run it only if you trust where it comes from.</source>
        <translation>打开目标文件就是运行它：它是一个程序，以你的权限运行，它导入的一切也是如此。只有信任其来源时才运行。</translation>
    </message>
    <message>
        <source>Path</source>
        <translation>路径</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>修改时间</translation>
    </message>
    <message>
        <source>Content of the file</source>
        <translation>文件内容</translation>
    </message>
    <message>
        <source>Hide file</source>
        <translation>收起文件</translation>
    </message>
</context>
<context>
    <name>ErrorReporter</name>
    <message>
        <source>Something went wrong inside KVScope. What was recorded so far stays usable.</source>
        <translation>KVScope 内部出错。已记录的内容仍可使用。</translation>
    </message>
</context>
<context>
    <name>Exporting</name>
    <message>
        <source>Copy as TSV</source>
        <translation>复制为 TSV</translation>
    </message>
    <message>
        <source>Copy as CSV</source>
        <translation>复制为 CSV</translation>
    </message>
    <message>
        <source>Copy as NumPy</source>
        <translation>复制为 NumPy</translation>
    </message>
    <message>
        <source>Save picture…</source>
        <translation>保存图片…</translation>
    </message>
    <message>
        <source>There is nothing to copy here.</source>
        <translation>这里没有可复制的内容。</translation>
    </message>
    <message>
        <source>{count} rows are in the clipboard.</source>
        <translation>已将 {count} 行复制到剪贴板。</translation>
    </message>
    <message>
        <source>PNG picture, {scale}x (*.png)</source>
        <translation>PNG 图片，{scale} 倍 (*.png)</translation>
    </message>
    <message>
        <source>SVG drawing (*.svg)</source>
        <translation>SVG 矢量图 (*.svg)</translation>
    </message>
    <message>
        <source>Save a picture of the panel</source>
        <translation>保存面板的图片</translation>
    </message>
    <message>
        <source>Saved {name}.</source>
        <translation>已保存 {name}。</translation>
    </message>
    <message>
        <source>The picture could not be written to {path}.</source>
        <translation>图片无法写入 {path}。</translation>
    </message>
</context>
<context>
    <name>FaultButton</name>
    <message>
        <source>{fault} planted</source>
        <translation>已植入 {fault}</translation>
    </message>
    <message>
        <source>Plant a fault</source>
        <translation>植入故障</translation>
    </message>
    <message>
        <source>Fault</source>
        <translation>故障</translation>
    </message>
    <message>
        <source>Plant a fault in how the cached lane uses its cache</source>
        <translation>在缓存一路使用缓存的方式中植入一个故障</translation>
    </message>
    <message>
        <source>Take all faults out</source>
        <translation>移除全部故障</translation>
    </message>
    <message>
        <source>Faults can be planted in the built-in models only</source>
        <translation>只能在内置模型中植入故障</translation>
    </message>
    <message>
        <source>Take the fault out</source>
        <translation>移除故障</translation>
    </message>
</context>
<context>
    <name>FaultMenu</name>
    <message>
        <source>No fault</source>
        <translation>无故障</translation>
    </message>
    <message>
        <source>{group}: {count} planted</source>
        <translation>{group}：已植入 {count} 个</translation>
    </message>
    <message>
        <source>Cause: {cause}</source>
        <translation>原因：{cause}</translation>
    </message>
    <message>
        <source>as in {report}</source>
        <translation>见 {report}</translation>
    </message>
    <message>
        <source>from {count} tokens on</source>
        <translation>文本达到 {count} 个词元后才起作用</translation>
    </message>
</context>
<context>
    <name>FindingBanner</name>
    <message>
        <source>Findings</source>
        <translation>结论</translation>
    </message>
</context>
<context>
    <name>FirstMinute</name>
    <message>
        <source>KVScope ended unexpectedly. Its recording of {time} was not saved.</source>
        <translation>KVScope 上次意外退出，{time} 的记录尚未保存。</translation>
    </message>
    <message>
        <source>Recover</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>New here? Four stops show how a wrong cache is found. → makes the next step at any time.</source>
        <translation>初次使用？四站导览带你看如何找到出错的缓存。随时按 → 前进一步。</translation>
    </message>
    <message>
        <source>Take the tour</source>
        <translation>开始导览</translation>
    </message>
    <message>
        <source>The recording is here again. Ctrl+S keeps it.</source>
        <translation>记录已恢复。按 Ctrl+S 保存。</translation>
    </message>
    <message>
        <source>Run the demo</source>
        <translation>运行演示</translation>
    </message>
    <message>
        <source>A small built-in model, ready to step</source>
        <translation>一个内置的小模型，可直接单步</translation>
    </message>
    <message>
        <source>Run the demo with a fault</source>
        <translation>运行带故障的演示</translation>
    </message>
    <message>
        <source>Positions that start at 0 again: see where it shows</source>
        <translation>位置又从 0 开始：看它在哪里显现</translation>
    </message>
    <message>
        <source>Open a trace…</source>
        <translation>打开轨迹…</translation>
    </message>
    <message>
        <source>A recorded run, from any engine</source>
        <translation>任何引擎记录的一次运行</translation>
    </message>
    <message>
        <source>Check your own model…</source>
        <translation>检查你自己的模型…</translation>
    </message>
    <message>
        <source>A Python file with full() and cached(), or a GGUF file</source>
        <translation>含 full() 和 cached() 的 Python 文件，或 GGUF 文件</translation>
    </message>
    <message>
        <source>Four stops, one minute</source>
        <translation>四站，一分钟</translation>
    </message>
    <message>
        <source>Go through the lab</source>
        <translation>做一遍实验</translation>
    </message>
    <message>
        <source>Seven steps from an oracle to lab notes</source>
        <translation>七步，从基准到实验笔记</translation>
    </message>
    <message>
        <source>Target files (*.py *.gguf);;All files (*)</source>
        <translation>目标文件 (*.py *.gguf);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Check your own model</source>
        <translation>检查你自己的模型</translation>
    </message>
    <message>
        <source>Two lanes, one text</source>
        <translation>两路，同一段文本</translation>
    </message>
    <message>
        <source>The oracle computes the whole text at every step; the cached lane is fed the new token only. Each chip is a token. → makes the next step, ← goes back.</source>
        <translation>基准每一步都重新计算整段文本；缓存一路只输入新词元。每个小块是一个词元。按 → 前进一步，按 ← 后退。</translation>
    </message>
    <message>
        <source>The first bad step</source>
        <translation>首个超差步</translation>
    </message>
    <message>
        <source>How far the logits of the two lanes are apart, step by step. Over the dashed line they are not the same. F5 goes to the next bad step, and the line can be dragged.</source>
        <translation>逐步显示两路 logits 相差多少。超过虚线就算不一致。按 F5 到下一个超差步；虚线可以拖动。</translation>
    </message>
    <message>
        <source>Where it differs</source>
        <translation>差在哪里</translation>
    </message>
    <message>
        <source>Who looks at whom in the chosen layer and head: oracle, cached, and the difference. Point at a cell to read it out, click to keep it, turn the wheel to zoom.</source>
        <translation>所选层和头中谁看谁：基准、缓存以及差值。指向格子可读数，点击可固定，滚轮可缩放。</translation>
    </message>
    <message>
        <source>What it is, and proof</source>
        <translation>原因与证明</translation>
    </message>
    <message>
        <source>The cause in words. It is proven by repairing it: what heals the difference was the fault. Ctrl+S keeps the run, Ctrl+Shift+C copies the command that repeats it, Ctrl+K finds the rest.</source>
        <translation>用文字说明原因，并以修复来证明：修复后差异消失，那就是故障所在。Ctrl+S 保存运行，Ctrl+Shift+C 复制重现命令，Ctrl+K 查找其余命令。</translation>
    </message>
</context>
<context>
    <name>Fold</name>
    <message>
        <source>Hide the answer</source>
        <translation>收起答案</translation>
    </message>
    <message>
        <source>Show the answer</source>
        <translation>查看答案</translation>
    </message>
</context>
<context>
    <name>FreeTexts</name>
    <message>
        <source>Oracle alone</source>
        <translation>基准独立</translation>
    </message>
    <message>
        <source>Cached alone</source>
        <translation>缓存独立</translation>
    </message>
    <message>
        <source>What each lane writes on its own tokens</source>
        <translation>两路各自沿自己的词元写出的文本</translation>
    </message>
    <message>
        <source>generated token {place}: oracle “{oracle}”, cached “{cached}”</source>
        <translation>第 {place} 个生成词元：基准“{oracle}”，缓存“{cached}”</translation>
    </message>
</context>
<context>
    <name>HelpDialogs</name>
    <message>
        <source>Runs a model with and without its KV cache side by side and shows the first step where they differ.</source>
        <translation>让同一模型分别带 KV 缓存与不带 KV 缓存并行运行，找出二者首次不一致的那一步。</translation>
    </message>
    <message>
        <source>About KVScope</source>
        <translation>关于 KVScope</translation>
    </message>
</context>
<context>
    <name>KeyList</name>
    <message>
        <source>Keys</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>Arrow keys stay with tables, maps and text while these have the focus. Esc closes this list.</source>
        <translation>表格、图和文本框获得焦点时，方向键归它们使用。按 Esc 关闭此列表。</translation>
    </message>
</context>
<context>
    <name>KvAxes</name>
    <message>
        <source>Axes of K and V</source>
        <translation>K 和 V 的各维</translation>
    </message>
    <message>
        <source>layer {layer} · {batch} × {heads} sheets, one a row and head</source>
        <translation>第 {layer} 层 · {batch} × {heads} 张，每行每头一张</translation>
    </message>
    <message>
        <source>kv_len {length}: the append dim</source>
        <translation>kv_len {length}：追加维</translation>
    </message>
</context>
<context>
    <name>KvModel</name>
    <message>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>oracle K, V</source>
        <translation>基准 K, V</translation>
    </message>
    <message>
        <source>cached K, V</source>
        <translation>缓存 K, V</translation>
    </message>
    <message>
        <source>grew</source>
        <translation>增长</translation>
    </message>
    <message>
        <source>slots</source>
        <translation>槽位</translation>
    </message>
    <message>
        <source>dtype</source>
        <translation>数据类型</translation>
    </message>
    <message>
        <source>storage</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>max |ΔK|</source>
        <translation>最大 |ΔK|</translation>
    </message>
    <message>
        <source>max |ΔV|</source>
        <translation>最大 |ΔV|</translation>
    </message>
    <message>
        <source>position ids</source>
        <translation>位置编号</translation>
    </message>
    <message>
        <source>{used} of {capacity} slots hold tokens</source>
        <translation>{capacity} 个槽位中有 {used} 个存有词元</translation>
    </message>
    <message>
        <source>expected to grow by {rows}</source>
        <translation>应增长 {rows} 行</translation>
    </message>
    <message>
        <source>in the same storage as layer {layers}</source>
        <translation>与第 {layers} 层同在一个存储中</translation>
    </message>
    <message>
        <source>the oracle keeps nothing; equal names are one storage</source>
        <translation>基准不保存任何行；名称相同即为同一存储</translation>
    </message>
</context>
<context>
    <name>KvPanel</name>
    <message>
        <source>{total} in all · {per_layer} a layer</source>
        <translation>共 {total} · 每层 {per_layer}</translation>
    </message>
    <message>
        <source>row {row}: {n_valid} tokens after {n_pads} pads</source>
        <translation>第 {row} 行：{n_pads} 个填充后有 {n_valid} 个词元</translation>
    </message>
    <message>
        <source>invariants hold</source>
        <translation>不变量成立</translation>
    </message>
    <message>
        <source>old row changed</source>
        <translation>旧行被改动</translation>
    </message>
    <message>
        <source>wrong length</source>
        <translation>长度不对</translation>
    </message>
    <message>
        <source>zero row</source>
        <translation>有全零行</translation>
    </message>
    <message>
        <source>not finite</source>
        <translation>非有限</translation>
    </message>
    <message>
        <source>blind query</source>
        <translation>查询无处可看</translation>
    </message>
    <message>
        <source>shared memory</source>
        <translation>共用内存</translation>
    </message>
    <message>
        <source>positions do not go on</source>
        <translation>位置不连续</translation>
    </message>
    <message>
        <source>axes</source>
        <translation>维度</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>[batch, kv_heads, {dim}, head_dim] grows on dim 2</source>
        <translation>[batch, kv_heads, {dim}, head_dim]，沿第 2 维增长</translation>
    </message>
</context>
<context>
    <name>KvTable</name>
    <message>
        <source>KV cache by layer</source>
        <translation>各层 KV 缓存</translation>
    </message>
</context>
<context>
    <name>Lab</name>
    <message>
        <source>recording: {done} of {planned} steps</source>
        <translation>正在记录：第 {done} 步，共 {planned} 步</translation>
    </message>
</context>
<context>
    <name>LabPane</name>
    <message>
        <source>Lab</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>Close the lab</source>
        <translation>关闭实验</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>Save lab notes…</source>
        <translation>保存实验笔记…</translation>
    </message>
    <message>
        <source>Lab, step {number} of {count}</source>
        <translation>实验 · 第 {number} 步，共 {count} 步</translation>
    </message>
    <message>
        <source>{file}, line {line}</source>
        <translation>{file}，第 {line} 行</translation>
    </message>
    <message>
        <source>Nothing has been measured here yet.</source>
        <translation>这里还没有测量结果。</translation>
    </message>
</context>
<context>
    <name>LayerGrid</name>
    <message>
        <source>layer {layer}, head {head} is selected</source>
        <translation>已选中第 {layer} 层第 {head} 头</translation>
    </message>
    <message>
        <source>Outlined: selected.</source>
        <translation>带框：当前选中。</translation>
    </message>
    <message>
        <source>Red corner: attends differently.</source>
        <translation>红角：注意力不同。</translation>
    </message>
    <message>
        <source>Layers and heads by difference</source>
        <translation>各层各头的差值</translation>
    </message>
    <message>
        <source>layer {layer} · head {head}: |Δ| {value}</source>
        <translation>第 {layer} 层 · 第 {head} 头：|Δ| {value}</translation>
    </message>
    <message>
        <source>layer {layer}, head {head}: max |Δ weight| {value}</source>
        <translation>第 {layer} 层第 {head} 头：最大 |Δ 权重| {value}</translation>
    </message>
</context>
<context>
    <name>LayersPanel</name>
    <message>
        <source>Layers</source>
        <translation>各层</translation>
    </message>
    <message>
        <source>heads</source>
        <translation>头</translation>
    </message>
    <message>
        <source>How differently each head attends</source>
        <translation>每个头的注意力差多少</translation>
    </message>
    <message>
        <source>tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Which tensor goes wrong by itself, and which came in wrong</source>
        <translation>哪个张量在此出错，哪个是带着错误进来的</translation>
    </message>
</context>
<context>
    <name>LogitsPanel</name>
    <message>
        <source>step {step}</source>
        <translation>第 {step} 步</translation>
    </message>
    <message>
        <source>top {count}</source>
        <translation>前 {count} 项</translation>
    </message>
    <message>
        <source>Logits</source>
        <translation>Logits</translation>
    </message>
</context>
<context>
    <name>LogitsTable</name>
    <message>
        <source>Largest logits of both lanes</source>
        <translation>两路最大的 logits</translation>
    </message>
    <message>
        <source>token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>oracle</source>
        <translation>基准</translation>
    </message>
    <message>
        <source>cached</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>top-1 differs</source>
        <translation>首选不同</translation>
    </message>
    <message>
        <source>top-1 agrees</source>
        <translation>首选一致</translation>
    </message>
    <message>
        <source>KL {value}</source>
        <translation>KL {value}</translation>
    </message>
    <message>
        <source>margin {value}</source>
        <translation>间隔 {value}</translation>
    </message>
    <message>
        <source>some logits are not finite</source>
        <translation>部分 logits 不是有限值</translation>
    </message>
    <message>
        <source>exactly equal</source>
        <translation>完全相等</translation>
    </message>
    <message>
        <source>max |Δ| {value} at “{token}”</source>
        <translation>最大 |Δ| {value}，位于“{token}”</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>The scenario {scenario} was not run: {reason}</source>
        <translation>未运行场景 {scenario}：{reason}</translation>
    </message>
</context>
<context>
    <name>Menus</name>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>转到(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>F&amp;ault</source>
        <translation>故障(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>最近打开(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Panels</source>
        <translation>面板(&amp;P)</translation>
    </message>
</context>
<context>
    <name>Moving</name>
    <message>
        <source>0 to {last}</source>
        <translation>0 到 {last}</translation>
    </message>
    <message>
        <source>Go to step</source>
        <translation>转到步</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>请输入整数</translation>
    </message>
    <message>
        <source>Enter records up to there</source>
        <translation>按回车记录到该步</translation>
    </message>
    <message>
        <source>there are steps 0 to {last}</source>
        <translation>现有第 0 到 {last} 步</translation>
    </message>
    <message>
        <source>Find token</source>
        <translation>查找词元</translation>
    </message>
    <message>
        <source>text, or #id</source>
        <translation>文本，或 #编号</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>{number} of {count}</source>
        <translation>第 {number} 个，共 {count} 个</translation>
    </message>
    <message>
        <source>Step {step} is marked.</source>
        <translation>已为第 {step} 步加书签。</translation>
    </message>
    <message>
        <source>Step {step} is not marked any more.</source>
        <translation>已移除第 {step} 步的书签。</translation>
    </message>
    <message>
        <source>Run and play stop at</source>
        <translation>运行和播放停在</translation>
    </message>
    <message>
        <source>A chosen step…</source>
        <translation>指定的步…</translation>
    </message>
    <message>
        <source>Step {step}</source>
        <translation>第 {step} 步</translation>
    </message>
    <message>
        <source>A step over the tolerance</source>
        <translation>超出容差的步</translation>
    </message>
    <message>
        <source>A step with NaN or infinity</source>
        <translation>含 NaN 或无穷的步</translation>
    </message>
    <message>
        <source>Stop at step</source>
        <translation>停在步</translation>
    </message>
</context>
<context>
    <name>NoticeBar</name>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
</context>
<context>
    <name>Opening</name>
    <message>
        <source>Save a repaired copy</source>
        <translation>保存修复后的副本</translation>
    </message>
    <message>
        <source>Compare what both have</source>
        <translation>比较两者都有的部分</translation>
    </message>
    <message>
        <source>Choose a mapping file…</source>
        <translation>选择映射文件…</translation>
    </message>
    <message>
        <source>Compare the logits only</source>
        <translation>只比较 logits</translation>
    </message>
    <message>
        <source>Choose a mapping of tensor names</source>
        <translation>选择张量名称的映射</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>Choose two traces of the same tokens, or one to compare with the one shown</source>
        <translation>选择词元相同的两条轨迹，或选一条与当前显示的比较</translation>
    </message>
    <message>
        <source>Traces (*.kvtrace *.part *.kld *.json)</source>
        <translation>轨迹 (*.kvtrace *.part *.kld *.json)</translation>
    </message>
    <message>
        <source>A comparison takes two traces.</source>
        <translation>比较需要两条轨迹。</translation>
    </message>
    <message>
        <source>One file is opened at a time, two traces are compared. Not opened: {names}</source>
        <translation>一次打开一个文件，两个轨迹则相互比较。未打开：{names}</translation>
    </message>
    <message>
        <source>The file was not run. This is the built-in model.</source>
        <translation>文件没有运行。这里显示的是内置模型。</translation>
    </message>
</context>
<context>
    <name>Panel</name>
    <message>
        <source>Record again</source>
        <translation>重新记录</translation>
    </message>
    <message>
        <source>Nothing is recorded yet.</source>
        <translation>尚无记录。</translation>
    </message>
    <message>
        <source>Record a run</source>
        <translation>记录一次运行</translation>
    </message>
    <message>
        <source>This part of the trace cannot be shown.</source>
        <translation>轨迹的这一部分无法显示。</translation>
    </message>
</context>
<context>
    <name>PanelDock</name>
    <message>
        <source>Put back</source>
        <translation>放回原处</translation>
    </message>
    <message>
        <source>Float</source>
        <translation>浮动</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>{panel}: copy, save, float, close</source>
        <translation>{panel}：复制、保存、浮动、关闭</translation>
    </message>
</context>
<context>
    <name>PositionsPlot</name>
    <message>
        <source>the oracle is told {position}</source>
        <translation>基准得到 {position}</translation>
    </message>
    <message>
        <source>the cached lane is told {position}</source>
        <translation>缓存一路得到 {position}</translation>
    </message>
    <message>
        <source>rotated as {position}</source>
        <translation>按 {position} 旋转</translation>
    </message>
    <message>
        <source>token {token}</source>
        <translation>词元 {token}</translation>
    </message>
    <message>
        <source>token {token}: told {told}, rotated as {rotated}</source>
        <translation>词元 {token}：得到 {told}，按 {rotated} 旋转</translation>
    </message>
    <message>
        <source>token {token}: told {told}, expected {expected}</source>
        <translation>词元 {token}：得到 {told}，应为 {expected}</translation>
    </message>
    <message>
        <source>Position told for each slot</source>
        <translation>每个槽位得到的位置编号</translation>
    </message>
    <message>
        <source>slot</source>
        <translation>槽位</translation>
    </message>
    <message>
        <source>no position ids seen</source>
        <translation>未见位置编号</translation>
    </message>
    <message>
        <source>oracle</source>
        <translation>基准</translation>
    </message>
    <message>
        <source>cached</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>rotated</source>
        <translation>旋转</translation>
    </message>
</context>
<context>
    <name>ProfileFigures</name>
    <message>
        <source>append</source>
        <translation>追加</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>rest</source>
        <translation>其余</translation>
    </message>
</context>
<context>
    <name>ProfileModel</name>
    <message>
        <source>own</source>
        <translation>自带</translation>
    </message>
    <message>
        <source>cache</source>
        <translation>缓存布局</translation>
    </message>
    <message>
        <source>length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>cached</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>parts</source>
        <translation>构成</translation>
    </message>
    <message>
        <source>append</source>
        <translation>追加</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>rest</source>
        <translation>其余</translation>
    </message>
    <message>
        <source>oracle</source>
        <translation>基准</translation>
    </message>
    <message>
        <source>saves</source>
        <translation>节省</translation>
    </message>
    <message>
        <source>valid</source>
        <translation>有效</translation>
    </message>
    <message>
        <source>allocated</source>
        <translation>已分配</translation>
    </message>
    <message>
        <source>peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>Tokens in the cache before the timed step</source>
        <translation>计时那一步之前缓存中的词元数</translation>
    </message>
    <message>
        <source>append, attention, rest</source>
        <translation>追加、注意力、其余</translation>
    </message>
    <message>
        <source>Writing into the cache, with all copies that it makes</source>
        <translation>写入缓存，包括由此产生的全部复制</translation>
    </message>
    <message>
        <source>Everything else: products, norms, embedding, logits</source>
        <translation>其余一切：矩阵乘、归一化、嵌入、logits</translation>
    </message>
    <message>
        <source>How many times longer the oracle takes; below 1.05 caching does not pay</source>
        <translation>基准所需时间是缓存一路的多少倍；低于 1.05 时缓存不划算</translation>
    </message>
    <message>
        <source>Bytes of the rows that attention may read</source>
        <translation>注意力可读取的行所占字节</translation>
    </message>
    <message>
        <source>Bytes that the cache holds, unused room included</source>
        <translation>缓存占用的字节，包括未使用的空间</translation>
    </message>
    <message>
        <source>Bytes while the step holds the old cache and the new one</source>
        <translation>这一步同时持有新旧缓存时的字节</translation>
    </message>
    <message>
        <source>half of the repeats lie between {low} and {high} ms</source>
        <translation>半数重复落在 {low} 到 {high} 毫秒之间</translation>
    </message>
    <message>
        <source>of it {gather} ms gather the blocks</source>
        <translation>其中 {gather} 毫秒用于汇集各块</translation>
    </message>
</context>
<context>
    <name>ProfilePanel</name>
    <message>
        <source>Run to the end</source>
        <translation>运行到底</translation>
    </message>
    <message>
        <source>Both lanes side by side at several lengths, with every layout of a built-in model.</source>
        <translation>在几种长度下并排测量两路；内置模型会测量每种缓存布局。</translation>
    </message>
    <message>
        <source>The check has passed.</source>
        <translation>检查已通过。</translation>
    </message>
    <message>
        <source>Measure time and memory</source>
        <translation>测量时间与内存</translation>
    </message>
    <message>
        <source>Time and memory</source>
        <translation>时间与内存</translation>
    </message>
    <message>
        <source>one decode step of both lanes; medians in ms</source>
        <translation>两路各一个解码步；中位数，毫秒</translation>
    </message>
    <message>
        <source>Progress of the measuring</source>
        <translation>测量进度</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Measure again</source>
        <translation>重新测量</translation>
    </message>
</context>
<context>
    <name>ProfilePlot</name>
    <message>
        <source>Milliseconds of a step by length, both logarithmic</source>
        <translation>每步毫秒数随长度的变化，两轴均为对数</translation>
    </message>
    <message>
        <source>oracle</source>
        <translation>基准</translation>
    </message>
    <message>
        <source>cached</source>
        <translation>缓存</translation>
    </message>
</context>
<context>
    <name>ProfileTable</name>
    <message>
        <source>Time and memory of a step</source>
        <translation>一步的时间与内存</translation>
    </message>
</context>
<context>
    <name>PromptBar</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>ProofBars</name>
    <message>
        <source>The share of the logit difference that goes away when the step runs again with this repair; below, what a repair of the same size at another place does. The proof is the gap between the two.</source>
        <translation>带着这一修复重新运行该步时，logit 差异消失的比例；下方是在别处做同样大小的修复的效果。两者的差距就是证明。</translation>
    </message>
    <message>
        <source>healed</source>
        <translation>修复率</translation>
    </message>
    <message>
        <source>elsewhere</source>
        <translation>别处对照</translation>
    </message>
</context>
<context>
    <name>ReportDialog</name>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
</context>
<context>
    <name>RowSelector</name>
    <message>
        <source>Batch row</source>
        <translation>批次行</translation>
    </message>
    <message>
        <source>row {row}</source>
        <translation>第 {row} 行</translation>
    </message>
    <message>
        <source>Look at this row of the batch (R: the next one)</source>
        <translation>查看批次中的这一行（R：下一行）</translation>
    </message>
</context>
<context>
    <name>RunBar</name>
    <message>
        <source>own</source>
        <translation>自带</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Cache</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>Scenario</source>
        <translation>场景</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Tolerance</source>
        <translation>容差</translation>
    </message>
    <message>
        <source>The target brings its own cache</source>
        <translation>目标自带缓存</translation>
    </message>
    <message>
        <source>Decode steps after the prompt</source>
        <translation>提示词之后的解码步数</translation>
    </message>
</context>
<context>
    <name>ScenarioModel</name>
    <message>
        <source>scenario</source>
        <translation>场景</translation>
    </message>
    <message>
        <source>result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>max |Δ|</source>
        <translation>最大 |Δ|</translation>
    </message>
    <message>
        <source>first bad</source>
        <translation>首个超差</translation>
    </message>
    <message>
        <source>cause</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>where it begins, or why not run</source>
        <translation>起点，或未运行的原因</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>PASS</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>FAIL</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>已跳过</translation>
    </message>
    <message>
        <source>error</source>
        <translation>出错</translation>
    </message>
    <message>
        <source>not run</source>
        <translation>未运行</translation>
    </message>
</context>
<context>
    <name>ScenarioTable</name>
    <message>
        <source>Results of the scenarios</source>
        <translation>各场景的结果</translation>
    </message>
</context>
<context>
    <name>ScenariosPanel</name>
    <message>
        <source>No scenario has been run yet.</source>
        <translation>尚未运行任何场景。</translation>
    </message>
    <message>
        <source>Scenarios</source>
        <translation>场景</translation>
    </message>
    <message>
        <source>Progress of the scenarios</source>
        <translation>场景进度</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Close the table</source>
        <translation>关闭表格</translation>
    </message>
    <message>
        <source>{count} passed</source>
        <translation>{count} 个通过</translation>
    </message>
    <message>
        <source>{count} failed</source>
        <translation>{count} 个失败</translation>
    </message>
    <message>
        <source>{count} with errors</source>
        <translation>{count} 个出错</translation>
    </message>
    <message>
        <source>{count} skipped</source>
        <translation>{count} 个跳过</translation>
    </message>
    <message>
        <source>busy for {seconds} s</source>
        <translation>已忙碌 {seconds} 秒</translation>
    </message>
    <message>
        <source>repair {number} of {count}</source>
        <translation>修复 {number}/{count}</translation>
    </message>
</context>
<context>
    <name>SlotCard</name>
    <message>
        <source>History of the slot</source>
        <translation>槽位的历史</translation>
    </message>
    <message>
        <source>Back to the positions</source>
        <translation>回到位置图</translation>
    </message>
</context>
<context>
    <name>SlotsPanel</name>
    <message>
        <source>Slots and positions</source>
        <translation>槽位与位置</translation>
    </message>
    <message>
        <source>by layer and slot; position ids</source>
        <translation>按层和槽位；位置编号</translation>
    </message>
</context>
<context>
    <name>SlotsPlot</name>
    <message>
        <source>Slots and positions</source>
        <translation>槽位与位置</translation>
    </message>
    <message>
        <source>Cache by layer and slot</source>
        <translation>按层和槽位显示的缓存</translation>
    </message>
    <message>
        <source>Differences of the keys</source>
        <translation>键的差值</translation>
    </message>
    <message>
        <source>Differences of the values</source>
        <translation>值的差值</translation>
    </message>
    <message>
        <source>state</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>What each slot holds, found among the oracle&apos;s rows</source>
        <translation>每个槽位里是什么，在基准的各行中查找</translation>
    </message>
    <message>
        <source>missing: token {tokens}</source>
        <translation>缺失：词元 {tokens}</translation>
    </message>
    <message>
        <source>click a slot for its history</source>
        <translation>点击槽位查看历史</translation>
    </message>
    <message>
        <source>layer {layer}, slot {slot}: {what}</source>
        <translation>第 {layer} 层，槽位 {slot}：{what}</translation>
    </message>
    <message>
        <source>not in the cache</source>
        <translation>不在缓存中</translation>
    </message>
    <message>
        <source>nothing to compare</source>
        <translation>无可比较</translation>
    </message>
</context>
<context>
    <name>StartPage</name>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近打开</translation>
    </message>
    <message>
        <source>Start page</source>
        <translation>起始页</translation>
    </message>
    <message>
        <source>Does decoding with a KV cache mean the same as without?</source>
        <translation>使用 KV 缓存解码，结果与不用缓存时一致吗？</translation>
    </message>
    <message>
        <source>Traces and models that you open are listed here.</source>
        <translation>打开过的轨迹和模型会列在这里。</translation>
    </message>
</context>
<context>
    <name>StatusBar</name>
    <message>
        <source>step {step} of {last}</source>
        <translation>第 {step} 步，共 {last} 步</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Progress of the run</source>
        <translation>运行进度</translation>
    </message>
    <message>
        <source>batch row {row}</source>
        <translation>批次第 {row} 行</translation>
    </message>
    <message>
        <source>{a} {oracle:.1f} ms, {b} {cached:.1f} ms a step</source>
        <translation>每步：{a} {oracle:.1f} 毫秒，{b} {cached:.1f} 毫秒</translation>
    </message>
    <message>
        <source>oracle</source>
        <translation>基准</translation>
    </message>
    <message>
        <source>cached</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>the target has been busy for {seconds} s</source>
        <translation>目标已忙碌 {seconds} 秒</translation>
    </message>
    <message>
        <source>a comparison, not saved</source>
        <translation>比较结果，未保存</translation>
    </message>
    <message>
        <source>cancelled, not saved</source>
        <translation>已取消，未保存</translation>
    </message>
    <message>
        <source>starting the engine…</source>
        <translation>正在启动引擎…</translation>
    </message>
    <message>
        <source>live, not saved</source>
        <translation>实时，未保存</translation>
    </message>
    <message>
        <source>running…</source>
        <translation>运行中…</translation>
    </message>
    <message>
        <source>stopping…</source>
        <translation>正在停止…</translation>
    </message>
    <message>
        <source>finished, not saved</source>
        <translation>已结束，未保存</translation>
    </message>
    <message>
        <source>looking for the cause…</source>
        <translation>正在查找原因…</translation>
    </message>
    <message>
        <source>looking for the cause: repair {number} of {count}</source>
        <translation>正在查找原因：第 {number} 次修复，共 {count} 次</translation>
    </message>
</context>
<context>
    <name>TensorGrid</name>
    <message>
        <source>layer {layer}, {tensor}: introduced here</source>
        <translation>第 {layer} 层，{tensor}：在此引入</translation>
    </message>
    <message>
        <source>Layers and tensors by where they go wrong</source>
        <translation>各层各张量在哪里出错</translation>
    </message>
    <message>
        <source>queries</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>new keys</source>
        <translation>新的键</translation>
    </message>
    <message>
        <source>new values</source>
        <translation>新的值</translation>
    </message>
    <message>
        <source>cached rows</source>
        <translation>缓存行</translation>
    </message>
    <message>
        <source>mask</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>scores</source>
        <translation>分数</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>output of attention</source>
        <translation>注意力输出</translation>
    </message>
    <message>
        <source>introduced here</source>
        <translation>在此引入</translation>
    </message>
    <message>
        <source>inherited</source>
        <translation>由前面带来</translation>
    </message>
    <message>
        <source>position ids agree</source>
        <translation>位置编号一致</translation>
    </message>
    <message>
        <source>position ids differ</source>
        <translation>位置编号不同</translation>
    </message>
    <message>
        <source>c cached rows, m mask, s scores, w weights, o output</source>
        <translation>c 缓存行，m 掩码，s 分数，w 权重，o 输出</translation>
    </message>
    <message>
        <source>layer {layer}, {tensor}: introduced here, all that it is made of agrees ({far})</source>
        <translation>第 {layer} 层，{tensor}：在此引入，构成它的各项都一致（{far}）</translation>
    </message>
    <message>
        <source>layer {layer}, {tensor}: inherited, it came in wrong ({far})</source>
        <translation>第 {layer} 层，{tensor}：由前面带来，进来时已不对（{far}）</translation>
    </message>
    <message>
        <source>layer {layer}, {tensor}: agrees ({far})</source>
        <translation>第 {layer} 层，{tensor}：一致（{far}）</translation>
    </message>
    <message>
        <source>{n} cells</source>
        <translation>{n} 格</translation>
    </message>
    <message>
        <source>{n} of its rms</source>
        <translation>其均方根的 {n} 倍</translation>
    </message>
</context>
<context>
    <name>Timeline</name>
    <message>
        <source>prefill</source>
        <translation>预填充</translation>
    </message>
    <message>
        <source>Difference per step</source>
        <translation>每步差值</translation>
    </message>
    <message>
        <source>{steps} steps, none over the tolerance</source>
        <translation>{steps} 步，均未超出容差</translation>
    </message>
    <message>
        <source>{steps} steps, the first over the tolerance is {bad}</source>
        <translation>{steps} 步，首个超差步是 {bad}</translation>
    </message>
    <message>
        <source>tol {tolerance}</source>
        <translation>容差 {tolerance}</translation>
    </message>
    <message>
        <source>exactly equal</source>
        <translation>完全相等</translation>
    </message>
    <message>
        <source>step {step}: max |Δ logit| {value}</source>
        <translation>第 {step} 步：最大 |Δ logit| {value}</translation>
    </message>
    <message>
        <source>step {step}: max |Δ logit| {value}, the lanes choose different tokens</source>
        <translation>第 {step} 步：最大 |Δ logit| {value}，两路选出的词元不同</translation>
    </message>
</context>
<context>
    <name>TimelinePanel</name>
    <message>
        <source>margin</source>
        <translation>间隔</translation>
    </message>
    <message>
        <source>Difference per step</source>
        <translation>每步差值</translation>
    </message>
    <message>
        <source>max |Δ logit|, log scale; drag the dashed line</source>
        <translation>最大 |Δ logit|，对数刻度；虚线可拖动</translation>
    </message>
    <message>
        <source>tolerance {tolerance}</source>
        <translation>容差 {tolerance}</translation>
    </message>
    <message>
        <source>no bad step</source>
        <translation>无超差步</translation>
    </message>
    <message>
        <source>first bad step {step}</source>
        <translation>首个超差步 {step}</translation>
    </message>
    <message>
        <source>argmax differs from step {step}</source>
        <translation>argmax 自第 {step} 步起不同</translation>
    </message>
    <message>
        <source>argmax agrees</source>
        <translation>argmax 一致</translation>
    </message>
</context>
<context>
    <name>TokenStrip</name>
    <message>
        <source>prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>decode</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>Tokens of the text</source>
        <translation>文本的词元</translation>
    </message>
</context>
<context>
    <name>Tour</name>
    <message>
        <source>Back</source>
        <translation>上一站</translation>
    </message>
    <message>
        <source>End the tour</source>
        <translation>结束导览</translation>
    </message>
    <message>
        <source>{number} of {count}</source>
        <translation>第 {number} 个，共 {count} 个</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一站</translation>
    </message>
</context>
<context>
    <name>TrustedDialog</name>
    <message>
        <source>Trusted files</source>
        <translation>受信任的文件</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>These target files run without being asked about, as long as they do not change.</source>
        <translation>这些目标文件只要不改变，就会直接运行而不再询问。</translation>
    </message>
    <message>
        <source>No target file has been allowed to run yet.</source>
        <translation>尚未允许任何目标文件运行。</translation>
    </message>
</context>
<context>
    <name>WordList</name>
    <message>
        <source>Words</source>
        <translation>术语</translation>
    </message>
</context>
<context>
    <name>Writing</name>
    <message>
        <source>Save the report</source>
        <translation>保存报告</translation>
    </message>
    <message>
        <source>Web pages (*.html)</source>
        <translation>网页 (*.html)</translation>
    </message>
    <message>
        <source>Save the lab notes</source>
        <translation>保存实验笔记</translation>
    </message>
    <message>
        <source>Markdown (*.md)</source>
        <translation>Markdown (*.md)</translation>
    </message>
    <message>
        <source>Saved {name}.</source>
        <translation>已保存 {name}。</translation>
    </message>
</context>
<context>
    <name>_Bars</name>
    <message>
        <source>“{token}”, id {id}: oracle {oracle}, cached {cached}</source>
        <translation>“{token}”，编号 {id}：基准 {oracle}，缓存 {cached}</translation>
    </message>
</context>
<context>
    <name>_Canvas</name>
    <message>
        <source>a pad: this row of the batch is shorter</source>
        <translation>填充：批次中的这一行较短</translation>
    </message>
    <message>
        <source>token {index} “{text}”, id {id}</source>
        <translation>词元 {index} “{text}”，编号 {id}</translation>
    </message>
    <message>
        <source>fed in step {step}</source>
        <translation>在第 {step} 步送入</translation>
    </message>
    <message>
        <source>chosen by the oracle in step {step}</source>
        <translation>由基准在第 {step} 步选出</translation>
    </message>
    <message>
        <source>the cached lane would choose “{text}”</source>
        <translation>缓存一路会选“{text}”</translation>
    </message>
    <message>
        <source>this token matters and would change: part of a number, a date, an address or an id</source>
        <translation>关键词元，且会改变：属于数字、日期、地址或编号</translation>
    </message>
    <message>
        <source>this token matters: part of a number, a date, an address or an id</source>
        <translation>关键词元：属于数字、日期、地址或编号</translation>
    </message>
    <message>
        <source>first step over the tolerance</source>
        <translation>首个超差步</translation>
    </message>
    <message>
        <source>over the tolerance</source>
        <translation>超出容差</translation>
    </message>
</context>
<context>
    <name>actions</name>
    <message>
        <source>&amp;Open trace or target…</source>
        <translation>打开轨迹或目标(&amp;O)…</translation>
    </message>
    <message>
        <source>Open &amp;model folder…</source>
        <translation>打开模型文件夹(&amp;M)…</translation>
    </message>
    <message>
        <source>Comp&amp;are traces…</source>
        <translation>比较轨迹(&amp;A)…</translation>
    </message>
    <message>
        <source>&amp;Trusted files…</source>
        <translation>受信任的文件(&amp;T)…</translation>
    </message>
    <message>
        <source>&amp;Save trace…</source>
        <translation>保存轨迹(&amp;S)…</translation>
    </message>
    <message>
        <source>Save &amp;report…</source>
        <translation>保存报告(&amp;R)…</translation>
    </message>
    <message>
        <source>Save lab &amp;notes…</source>
        <translation>保存实验笔记(&amp;N)…</translation>
    </message>
    <message>
        <source>Save &amp;picture…</source>
        <translation>保存图片(&amp;P)…</translation>
    </message>
    <message>
        <source>&amp;Copy as command</source>
        <translation>复制为命令(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Step</source>
        <translation>单步前进(&amp;S)</translation>
    </message>
    <message>
        <source>Step &amp;back</source>
        <translation>单步后退(&amp;B)</translation>
    </message>
    <message>
        <source>Ten steps &amp;on</source>
        <translation>前进十步(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Ten steps back</source>
        <translation>后退十步(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;First step</source>
        <translation>第一步(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Last step</source>
        <translation>最后一步(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Run or pause</source>
        <translation>运行或暂停(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Next bad step</source>
        <translation>下一超差步(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Previous bad step</source>
        <translation>上一超差步(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Go to step…</source>
        <translation>转到步(&amp;G)…</translation>
    </message>
    <message>
        <source>F&amp;ind token…</source>
        <translation>查找词元(&amp;I)…</translation>
    </message>
    <message>
        <source>Boo&amp;kmark</source>
        <translation>书签(&amp;K)</translation>
    </message>
    <message>
        <source>Ne&amp;xt bookmark</source>
        <translation>下一个书签(&amp;X)</translation>
    </message>
    <message>
        <source>Where I was &amp;before</source>
        <translation>回到先前位置(&amp;B)</translation>
    </message>
    <message>
        <source>Where I was aft&amp;er</source>
        <translation>前往后来位置(&amp;E)</translation>
    </message>
    <message>
        <source>Stop &amp;when…</source>
        <translation>停止条件(&amp;W)…</translation>
    </message>
    <message>
        <source>&amp;Cancel run</source>
        <translation>取消运行(&amp;C)</translation>
    </message>
    <message>
        <source>A&amp;ll scenarios</source>
        <translation>所有场景(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Time and memory</source>
        <translation>时间与内存(&amp;T)</translation>
    </message>
    <message>
        <source>Record &amp;again</source>
        <translation>重新记录(&amp;A)</translation>
    </message>
    <message>
        <source>Let each lane &amp;write its own text, too</source>
        <translation>另让两路各自续写文本(&amp;W)</translation>
    </message>
    <message>
        <source>Next la&amp;yer</source>
        <translation>下一层(&amp;Y)</translation>
    </message>
    <message>
        <source>Previous layer</source>
        <translation>上一层</translation>
    </message>
    <message>
        <source>Next &amp;head</source>
        <translation>下一头(&amp;H)</translation>
    </message>
    <message>
        <source>Previous head</source>
        <translation>上一头</translation>
    </message>
    <message>
        <source>Next batch ro&amp;w</source>
        <translation>下一批次行(&amp;W)</translation>
    </message>
    <message>
        <source>Attention on a &amp;log scale</source>
        <translation>注意力用对数刻度(&amp;L)</translation>
    </message>
    <message>
        <source>Outline what the &amp;mask allows</source>
        <translation>勾出掩码允许的范围(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Light or dark</source>
        <translation>浅色或深色(&amp;T)</translation>
    </message>
    <message>
        <source>Light or dark like the s&amp;ystem</source>
        <translation>明暗跟随系统(&amp;Y)</translation>
    </message>
    <message>
        <source>中文 / &amp;English</source>
        <translation>中文 / &amp;English</translation>
    </message>
    <message>
        <source>&amp;Larger</source>
        <translation>放大(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Smaller</source>
        <translation>缩小(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Normal size</source>
        <translation>正常大小(&amp;N)</translation>
    </message>
    <message>
        <source>R&amp;eset layout</source>
        <translation>恢复默认布局(&amp;E)</translation>
    </message>
    <message>
        <source>F&amp;ull screen</source>
        <translation>全屏(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Commands…</source>
        <translation>命令面板(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;Start page</source>
        <translation>起始页(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Tour</source>
        <translation>导览(&amp;T)</translation>
    </message>
    <message>
        <source>La&amp;b</source>
        <translation>实验(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Words</source>
        <translation>术语(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Keys</source>
        <translation>快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;About KVScope</source>
        <translation>关于 KVScope(&amp;A)</translation>
    </message>
</context>
<context>
    <name>core</name>
    <message>
        <source>The file could not be read or written: {reason}</source>
        <translation>文件无法读取或写入：{reason}</translation>
    </message>
    <message>
        <source>Nothing is recorded yet</source>
        <translation>尚无记录</translation>
    </message>
    <message>
        <source>The engine is starting and loads the model…</source>
        <translation>引擎正在启动并加载模型…</translation>
    </message>
    <message>
        <source>there is no step {step}; the run has steps 0 to {last}</source>
        <translation>没有第 {step} 步；本次运行有第 0 至 {last} 步</translation>
    </message>
    <message>
        <source>cannot write {path}</source>
        <translation>无法写入 {path}</translation>
    </message>
    <message>
        <source>the run did not end within {seconds} s</source>
        <translation>运行未能在 {seconds} 秒内结束</translation>
    </message>
    <message>
        <source>No bad step follows.</source>
        <translation>后面没有超差步。</translation>
    </message>
    <message>
        <source>No bad step comes before this one.</source>
        <translation>前面没有超差步。</translation>
    </message>
    <message>
        <source>The run has ended; no bad step was found.</source>
        <translation>运行已结束，未发现超差步。</translation>
    </message>
    <message>
        <source>This trace was recorded from {target}. A target that a trace names is never run: open it yourself, or choose a built-in model.</source>
        <translation>此轨迹录自 {target}。轨迹中写明的目标绝不会被运行：请自行打开它，或选择内置模型。</translation>
    </message>
    <message>
        <source>The engine did not answer and was ended. The steps so far stay.</source>
        <translation>引擎没有响应，已被终止。已完成的步骤保留。</translation>
    </message>
    <message>
        <source>Positions restart at 0</source>
        <translation>位置从 0 重新开始</translation>
    </message>
    <message>
        <source>Every decode step counts its positions from 0 instead of from the length of the cache. The offset was left out: `arange(q_len)` where `arange(past, past + q_len)` was meant.</source>
        <translation>每个解码步的位置都从 0 数起，而不是从缓存长度数起。漏了偏移量：该写 `arange(past, past + q_len)`，却写成了 `arange(q_len)`。</translation>
    </message>
    <message>
        <source>Decode positions are one too large</source>
        <translation>解码位置多 1</translation>
    </message>
    <message>
        <source>The offset of a decode step is past + 1, while the prefill counted from 0. Every new token stands one place too far from all that came before.</source>
        <translation>解码步的偏移量是 past + 1，而预填充从 0 数起。每个新词元与之前所有词元的距离都多了一位。</translation>
    </message>
    <message>
        <source>The offset advances by the prompt twice</source>
        <translation>偏移量两次加上提示词长度</translation>
    </message>
    <message>
        <source>After the first decode step the offset grows by the size of the prompt again instead of by one. That step is still right, and from the next one on a gap of prompt - 1 stays.</source>
        <translation>第一个解码步之后，偏移量不是加 1，而是再加一次提示词长度。这一步本身仍是对的，从下一步起一直相差提示词长度减 1。</translation>
    </message>
    <message>
        <source>Positions stop at the window</source>
        <translation>位置停在窗口处</translation>
    </message>
    <message>
        <source>The offset is taken from the number of rows that a layer keeps, and a sliding layer keeps 48 at most. From then on every token gets the same position.</source>
        <translation>偏移量取自某一层保留的行数，而滑动窗口层最多保留 48 行。此后每个词元得到的位置都相同。</translation>
    </message>
    <message>
        <source>The offset of an earlier run is used</source>
        <translation>沿用了前一次运行的偏移量</translation>
    </message>
    <message>
        <source>The offset of decoding is stored on the module at the first prefill and never renewed. The first run is right, and a later one counts on from the length of another prompt.</source>
        <translation>解码的偏移量在第一次预填充时存到模块上，之后从不更新。第一次运行是对的，后来的运行却从另一个提示词的长度接着数。</translation>
    </message>
    <message>
        <source>A later turn forgets the prompt</source>
        <translation>后一轮对话漏算提示词</translation>
    </message>
    <message>
        <source>The start position counts generated tokens only, so a later call of several tokens leaves the prompt out. Single tokens take their position from the cache and are right.</source>
        <translation>起始位置只计生成的词元，因此之后一次送入多个词元时漏掉了提示词。单个词元的位置取自缓存，是对的。</translation>
    </message>
    <message>
        <source>Pads are counted when decoding</source>
        <translation>解码时把填充也计入位置</translation>
    </message>
    <message>
        <source>The prefill gives pads no position, but decoding takes one position for the whole batch, pads included. Padded rows jump ahead by their number of pads, the longest row is right.</source>
        <translation>预填充不给填充分配位置，解码时整个批次却共用一个把填充也算进去的位置。有填充的行会向前跳过填充的个数，最长的行是对的。</translation>
    </message>
    <message>
        <source>Pads are counted from the prefill on</source>
        <translation>从预填充起就把填充计入位置</translation>
    </message>
    <message>
        <source>Positions are the places in the padded row, in the prefill and in decoding alike. With RoPE that is harmless, since all tokens of a row move together; a learned table gives other embeddings.</source>
        <translation>预填充和解码都用填充后那一行里的序号作位置。对 RoPE 无害，因为一行的词元整体平移；可学习的位置表则会给出别的嵌入。</translation>
    </message>
    <message>
        <source>The rotation of an earlier call is replayed</source>
        <translation>重复使用先前调用的旋转</translation>
    </message>
    <message>
        <source>cos and sin are remembered by the number of tokens alone, without the offset. The first call of each length is right, and every later one is rotated like it although its position is right.</source>
        <translation>cos 和 sin 只按词元个数缓存，不看偏移量。每种长度的第一次调用是对的，之后的调用位置虽对，却都按第一次旋转。</translation>
    </message>
    <message>
        <source>Cached keys are rotated again when read</source>
        <translation>读取时把缓存的键再旋转一次</translation>
    </message>
    <message>
        <source>Keys go into the cache rotated, and the code that reads them rotates them once more. Old keys stand at twice their position, the new one is right.</source>
        <translation>键在写入缓存时已经旋转，读取的代码又旋转一次。旧键落在两倍的位置上，新键是对的。</translation>
    </message>
    <message>
        <source>Cached keys are rotated anew at every step</source>
        <translation>每一步都重新旋转缓存的键</translation>
    </message>
    <message>
        <source>The rotation runs over the whole cache at each step and its result is written back. A row that should never change turns further with every token.</source>
        <translation>每一步都对整个缓存做旋转并写回结果。本不该变的行，每多一个词元就多转一次。</translation>
    </message>
    <message>
        <source>Keys are cached without rotation</source>
        <translation>缓存的键没有旋转</translation>
    </message>
    <message>
        <source>The cache is written before the rotation, and nobody rotates the keys when they are read. Queries are rotated, so all distances are lost.</source>
        <translation>缓存在旋转之前写入，读取时也没有旋转键。查询却是旋转过的，于是距离信息全部丢失。</translation>
    </message>
    <message>
        <source>Queries use the offset after it moved on</source>
        <translation>查询用了推进之后的偏移量</translation>
    </message>
    <message>
        <source>The cache advances its offset when keys are appended, and queries are rotated afterwards. They stand as many places too far as the call has tokens, keys are right.</source>
        <translation>追加键时缓存推进了偏移量，查询在这之后才旋转。查询的位置多出这次调用的词元数，键是对的。</translation>
    </message>
    <message>
        <source>Joined pieces keep their own rotation</source>
        <translation>拼接的片段保留各自的旋转</translation>
    </message>
    <message>
        <source>The keys of a later piece of text were computed as if it stood at the beginning, and are appended as they are. Their rotation starts at 0 again in the middle of the cache.</source>
        <translation>后一段文本的键是按它位于开头来计算的，原样追加进来。于是旋转在缓存中间又从 0 开始。</translation>
    </message>
    <message>
        <source>The prefix is fed twice</source>
        <translation>前缀被送入两次</translation>
    </message>
    <message>
        <source>The first decode step feeds the whole text again although the cache is kept. Every row of the prefix is there twice.</source>
        <translation>第一个解码步又送入了全部文本，而缓存仍保留着。前缀的每一行都出现两次。</translation>
    </message>
    <message>
        <source>The whole text is fed at every step</source>
        <translation>每一步都送入全部文本</translation>
    </message>
    <message>
        <source>The caller hands over the whole text together with the cache, as it does without one. The cache grows by the length of the text at each step.</source>
        <translation>调用者像没有缓存时那样，连同缓存一起传入全部文本。缓存每一步都增长整个文本的长度。</translation>
    </message>
    <message>
        <source>One layer appends twice</source>
        <translation>有一层追加了两次</translation>
    </message>
    <message>
        <source>One layer is run a second time in the prefill, to read its attention or for checkpointing, and running it appends. That layer alone holds the prompt twice.</source>
        <translation>预填充时为了读取注意力或做梯度检查点，有一层又运行了一次，而运行就会追加。只有这一层把提示词存了两遍。</translation>
    </message>
    <message>
        <source>The counter moves on but the last row of the prefill is not written. Its slot stays zero and is attended to.</source>
        <translation>计数器前进了，但预填充的最后一行没有写入。它的槽位仍为零，并且参与注意力。</translation>
    </message>
    <message>
        <source>A new token cannot see itself</source>
        <translation>新词元看不到自己</translation>
    </message>
    <message>
        <source>Attention reads the cache before the new row counts as part of it. Every decode step misses its own key.</source>
        <translation>注意力读取缓存时，新行还不算在内。每个解码步都缺少自己的键。</translation>
    </message>
    <message>
        <source>A row is overwritten by the next</source>
        <translation>有一行被下一行覆盖</translation>
    </message>
    <message>
        <source>The write index of the first decode step is one too small. The last row of the prompt is replaced, and the cache is one row short from then on.</source>
        <translation>第一个解码步的写入下标小了 1。提示词的最后一行被替换，此后缓存一直少一行。</translation>
    </message>
    <message>
        <source>The oldest rows are evicted too early</source>
        <translation>最旧的行过早淘汰</translation>
    </message>
    <message>
        <source>The cache drops its oldest rows beyond a budget of 40, although the model may still see them. Short texts never notice.</source>
        <translation>缓存超过 40 行就丢弃最旧的行，尽管模型仍可以看到它们。短文本不会察觉。</translation>
    </message>
    <message>
        <source>The newest rows no longer fit</source>
        <translation>最新的行放不下</translation>
    </message>
    <message>
        <source>The cache was allocated with 44 rows, and writing beyond its end is clamped without a word. Tokens after that leave nothing behind.</source>
        <translation>缓存只分配了 44 行，越过末尾的写入被悄悄截断。之后的词元什么也没留下。</translation>
    </message>
    <message>
        <source>The cache of the run before is kept</source>
        <translation>保留了前一次运行的缓存</translation>
    </message>
    <message>
        <source>The cache outlives its run and nobody empties it. The next prompt is appended behind the rows of another text.</source>
        <translation>缓存在运行结束后仍然存在，没有清空。下一个提示词追加在另一段文本的行之后。</translation>
    </message>
    <message>
        <source>Reset zeroes the rows and keeps the length</source>
        <translation>重置把行清零却保留长度</translation>
    </message>
    <message>
        <source>Resetting fills the rows with zeros in place, and the length stays. The next prompt is appended behind zeros.</source>
        <translation>重置就地把各行填零，长度却没有变。下一个提示词追加在一串零之后。</translation>
    </message>
    <message>
        <source>Rejected draft tokens stay</source>
        <translation>被拒绝的草稿词元留了下来</translation>
    </message>
    <message>
        <source>Rolling back does nothing for this kind of cache. The rows of rejected draft tokens lie between the accepted ones.</source>
        <translation>这类缓存的回退什么也不做。被拒绝的草稿词元的行夹在已接受的行之间。</translation>
    </message>
    <message>
        <source>Layers share one cache</source>
        <translation>各层共用一个缓存</translation>
    </message>
    <message>
        <source>One buffer serves all layers (`[cache] * n_layers`). Each layer overwrites the rows of the layer before it, and the last one wins.</source>
        <translation>所有层共用一个缓冲区（`[cache] * n_layers`）。每一层都覆盖前一层的行，最后一层说了算。</translation>
    </message>
    <message>
        <source>Two layers share one cache</source>
        <translation>两层共用一个缓存</translation>
    </message>
    <message>
        <source>Layers 1 and 2 were given the same index into the cache. Layer 1 reads what layer 2 wrote, all others are right.</source>
        <translation>第 1 层和第 2 层得到了相同的缓存下标。第 1 层读到的是第 2 层写入的内容，其余各层都对。</translation>
    </message>
    <message>
        <source>The rows of the batch are looked up under one sequence. After each step every row reads the cache of row 0.</source>
        <translation>批次各行都按同一个序列查找。每一步之后，每一行读到的都是第 0 行的缓存。</translation>
    </message>
    <message>
        <source>The cache does not follow the beams</source>
        <translation>缓存没有跟随束重排</translation>
    </message>
    <message>
        <source>Tokens are permuted by the beam index, and the permuted cache is returned and never taken. A beam goes on from the cache of another one.</source>
        <translation>词元按束的下标重排了，重排后的缓存虽然返回，却没有人接收。一条束接着用另一条束的缓存。</translation>
    </message>
    <message>
        <source>Keys follow the beams, values do not</source>
        <translation>键跟随束重排，值没有</translation>
    </message>
    <message>
        <source>The reordering forgets one of the two tensors. Attention looks in the right row and reads the values of another beam.</source>
        <translation>重排时漏掉了两个张量中的一个。注意力找对了行，读到的却是另一条束的值。</translation>
    </message>
    <message>
        <source>Two runs share one cache</source>
        <translation>两次运行共用一个缓存</translation>
    </message>
    <message>
        <source>The cache hangs on the module instead of the run. Whoever ran last left its rows there, and the next call takes them for its own.</source>
        <translation>缓存挂在模块上，而不是属于各次运行。最后运行的一方把行留在那里，下一次调用就当成自己的。</translation>
    </message>
    <message>
        <source>Batch rows share one cache</source>
        <translation>批次各行共用一个缓存</translation>
    </message>
    <message>
        <source>Mask aligned to the top left corner</source>
        <translation>掩码对齐到左上角</translation>
    </message>
    <message>
        <source>`is_causal=True` with fewer queries than keys: query i sees the first i + 1 keys of the cache. A single query sees key 0 only.</source>
        <translation>查询少于键时使用 `is_causal=True`：第 i 个查询只看到缓存的前 i + 1 个键。单个查询只看到第 0 个键。</translation>
    </message>
    <message>
        <source>No causal mask in the prefill</source>
        <translation>预填充没有因果掩码</translation>
    </message>
    <message>
        <source>The mask is built only where no cache is passed, and the prefill passes one. Tokens of the prompt see the future, and what they saw stays in the cache.</source>
        <translation>只有不传缓存时才构造掩码，而预填充传了缓存。提示词的词元看到了后文，看到的内容又留在缓存里。</translation>
    </message>
    <message>
        <source>No causal mask once there is a cache</source>
        <translation>有了缓存就没有因果掩码</translation>
    </message>
    <message>
        <source>The mask is left out as soon as there is a past, which is right for a single token. Several tokens on a warm cache see each other&apos;s future.</source>
        <translation>只要有历史就省去掩码，这对单个词元是对的。在已有缓存上一次送入多个词元，它们就会看到彼此的后文。</translation>
    </message>
    <message>
        <source>Pads are attended to</source>
        <translation>注意力看到了填充</translation>
    </message>
    <message>
        <source>The mask of pads is dropped on its way to attention. The answer of a short row depends on how long its neighbour is.</source>
        <translation>填充的掩码在传给注意力的途中丢了。短行的结果取决于相邻的行有多长。</translation>
    </message>
    <message>
        <source>Pads are attended to when decoding</source>
        <translation>解码时注意力看到了填充</translation>
    </message>
    <message>
        <source>The prefill masks pads, and decoding passes no mask because a single token may see all of the cache. The cached rows of pads are part of it.</source>
        <translation>预填充屏蔽了填充；解码时认为单个词元可以看到整个缓存，就不传掩码。缓存里填充的行也在其中。</translation>
    </message>
    <message>
        <source>Unused slots are attended to</source>
        <translation>注意力看到了未用的槽位</translation>
    </message>
    <message>
        <source>Attention reads the preallocated buffer to its end, and no mask hides what lies behind the text. Zero rows take their share of the attention, the more the longer the buffer is.</source>
        <translation>注意力把预分配的缓冲区读到末尾，文本之后的部分没有掩码遮住。全零的行分走一部分注意力，缓冲区越长分走越多。</translation>
    </message>
    <message>
        <source>NaN in masked slots</source>
        <translation>被屏蔽的槽位里有 NaN</translation>
    </message>
    <message>
        <source>The buffer came from torch.empty, and what lies behind the text is masked. Its weight is 0, but 0 times NaN is NaN.</source>
        <translation>缓冲区来自 torch.empty，文本之后的部分已被屏蔽。它的权重是 0，但 0 乘 NaN 仍是 NaN。</translation>
    </message>
    <message>
        <source>Window one token too wide</source>
        <translation>窗口宽了一个词元</translation>
    </message>
    <message>
        <source>One place counts the token itself in the window and another does not. The cached lane keeps and sees one token more.</source>
        <translation>一处把词元自身计入窗口，另一处没有。缓存一路多保留、也多看到一个词元。</translation>
    </message>
    <message>
        <source>Window one token too short</source>
        <translation>窗口窄了一个词元</translation>
    </message>
    <message>
        <source>The ring was allocated with window - 1 rows, since the new token was thought to be beside them. The oldest token that may still be seen is gone.</source>
        <translation>环形缓冲区只分配了窗口减 1 行，以为新词元另外存放。本来还能看到的最旧词元没有了。</translation>
    </message>
    <message>
        <source>No window when decoding</source>
        <translation>解码时没有窗口</translation>
    </message>
    <message>
        <source>All rows are kept and the mask has to cut the window out, but the window is not passed to the decode path. New tokens see everything.</source>
        <translation>所有行都保留，窗口要靠掩码截取，但没有把窗口传给解码路径。新词元看到全部内容。</translation>
    </message>
    <message>
        <source>Keys cut to the window before a chunk reads them</source>
        <translation>分块读取之前键已按窗口截断</translation>
    </message>
    <message>
        <source>A call of several tokens on a warm ring gets only the last rows that fit into the window. Its first queries lose keys that they may still see, and NaN follows where they lose all.</source>
        <translation>在已有内容的环上一次送入多个词元，只拿到窗口容得下的最后几行。前面的查询丢了本该看到的键，若全部丢光就得到 NaN。</translation>
    </message>
    <message>
        <source>The position bias of another row</source>
        <translation>用了另一行的位置偏置</translation>
    </message>
    <message>
        <source>The bias is a table of query and key, and decoding takes its first rows instead of its last. A new token gets the bias of the first token of the text.</source>
        <translation>偏置是一张查询与键的表，解码取了开头几行，而不是最后几行。新词元得到的是文本第一个词元的偏置。</translation>
    </message>
    <message>
        <source>No position bias when decoding</source>
        <translation>解码时没有位置偏置</translation>
    </message>
    <message>
        <source>The bias is built over the length of the query instead of the length of the keys. For a single token it is zero and broadcasts, so nothing fails.</source>
        <translation>偏置按查询的长度构造，而不是按键的长度。对单个词元它是零，还能广播，所以不会报错。</translation>
    </message>
    <message>
        <source>A row is never written</source>
        <translation>有一行从未写入</translation>
    </message>
    <message>
        <source>bfloat16 cache in a float32 model</source>
        <translation>float32 模型使用 bfloat16 缓存</translation>
    </message>
    <message>
        <source>The cache was allocated in another dtype than the model. K and V lose 16 bits on their way through it, and nothing fails.</source>
        <translation>分配缓存时用的数据类型与模型不同。K 和 V 经过缓存丢了 16 位，却不报错。</translation>
    </message>
    <message>
        <source>float16 cache in a float32 model</source>
        <translation>float32 模型使用 float16 缓存</translation>
    </message>
    <message>
        <source>The cache takes a default dtype of half the width. Numbers keep 11 bits, which is little to see and more than rounding.</source>
        <translation>缓存采用了一半宽度的默认数据类型。数值只剩 11 位，差异不显眼，却大于舍入误差。</translation>
    </message>
    <message>
        <source>bfloat16 bits read as float16</source>
        <translation>bfloat16 的比特按 float16 读取</translation>
    </message>
    <message>
        <source>The rows are written in one 16-bit format and read in the other. The numbers are finite and plausible, and all of them are wrong.</source>
        <translation>各行以一种 16 位格式写入，却按另一种读取。数值有限，看似合理，但全是错的。</translation>
    </message>
    <message>
        <source>int8 cache</source>
        <translation>int8 缓存</translation>
    </message>
    <message>
        <source>K and V are kept as 8-bit codes with one scale each, and read back with it. That is a different function of the text, however well it is meant.</source>
        <translation>K 和 V 各用一个缩放系数存成 8 位编码，读取时再乘回去。用意再好，它对文本而言也已是另一个函数。</translation>
    </message>
    <message>
        <source>int8 codes read without their scale</source>
        <translation>读取 int8 编码时没有乘缩放系数</translation>
    </message>
    <message>
        <source>The cache is quantised when it is written, and one reader takes the codes for values. K and V are whole numbers, many times too large.</source>
        <translation>缓存在写入时量化，有一处读取却把编码当成数值。K 和 V 成了整数，大了许多倍。</translation>
    </message>
    <message>
        <source>int8 codes read with another&apos;s scale</source>
        <translation>读取 int8 编码时用错了缩放系数</translation>
    </message>
    <message>
        <source>The scales are read from the wrong place: those of keys and of values are swapped. The rows are right up to a constant factor.</source>
        <translation>缩放系数读错了地方：键和值的系数互换了。各行只差一个常数倍。</translation>
    </message>
    <message>
        <source>Scores are not scaled when decoding</source>
        <translation>解码时分数没有缩放</translation>
    </message>
    <message>
        <source>The decode path is another kernel, and it leaves the division by sqrt(head_dim) to its caller. Attention becomes far too sharp.</source>
        <translation>解码路径用的是另一个内核，它把除以 sqrt(head_dim) 留给调用者。注意力变得过于尖锐。</translation>
    </message>
    <message>
        <source>Scores are scaled twice when decoding</source>
        <translation>解码时分数缩放了两次</translation>
    </message>
    <message>
        <source>The query is divided by sqrt(head_dim) before the kernel does it too. Attention becomes almost even.</source>
        <translation>查询先除以了 sqrt(head_dim)，内核又除了一次。注意力变得几乎均匀。</translation>
    </message>
    <message>
        <source>Keys are cached already scaled</source>
        <translation>缓存的键已经缩放过</translation>
    </message>
    <message>
        <source>The scale is folded into the keys when they are written, and the scores are divided by sqrt(head_dim) all the same. Every key is too short by one factor.</source>
        <translation>写入时已把缩放并入键，分数仍照样除以 sqrt(head_dim)。每个键都短了同一个倍数。</translation>
    </message>
    <message>
        <source>Query heads read the wrong kv head</source>
        <translation>查询头读错了 KV 头</translation>
    </message>
    <message>
        <source>The decode path tiles the kv heads (0, 1, 0, 1) where the query heads expect each of them repeated (0, 0, 1, 1). Models with as many kv heads as query heads never notice.</source>
        <translation>解码路径把 KV 头平铺成 (0, 1, 0, 1)，而查询头期望逐个重复 (0, 0, 1, 1)。KV 头与查询头一样多的模型不会察觉。</translation>
    </message>
    <message>
        <source>Values are filled from the keys</source>
        <translation>值取自键</translation>
    </message>
    <message>
        <source>Copy and paste: the keys are appended to both lists. Attention finds the right rows and reads keys from them.</source>
        <translation>复制粘贴所致：两个列表追加的都是键。注意力找对了行，从中读到的却是键。</translation>
    </message>
    <message>
        <source>Values are taken from the keys when beams are reordered</source>
        <translation>束重排时值取自键</translation>
    </message>
    <message>
        <source>The helper that selects rows of the batch takes both tensors from the list of keys. Greedy decoding never calls it.</source>
        <translation>选取批次行的辅助函数从键的列表里取了两个张量。贪心解码从不调用它。</translation>
    </message>
    <message>
        <source>Reshaped where it should be transposed</source>
        <translation>该转置却用了变形</translation>
    </message>
    <message>
        <source>New rows have the shape [batch, tokens, heads, dim], and a reshape turns them into [batch, heads, tokens, dim]. All numbers are there, in the places of other heads and tokens.</source>
        <translation>新行的形状是 [批次, 词元, 头, 维]，用 reshape 变成 [批次, 头, 词元, 维]。数值一个不少，却放到了别的头和词元的位置上。</translation>
    </message>
    <message>
        <source>The buffer grows under its rows</source>
        <translation>缓冲区增长打乱了行</translation>
    </message>
    <message>
        <source>A full buffer is enlarged with `resize_()`, which reads the same numbers with new strides. Rows move to other layers, heads and slots when the cache first grows, at 44 rows or at the prompt&apos;s length.</source>
        <translation>缓冲区满了就用 `resize_()` 扩大，同样的数值按新的步幅读取。缓存第一次增长时（44 行或提示词长度处），各行移到了别的层、头和槽位。</translation>
    </message>
    <message>
        <source>Positions</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Mask and bias</source>
        <translation>掩码与偏置</translation>
    </message>
    <message>
        <source>Rows and slots</source>
        <translation>行与槽位</translation>
    </message>
    <message>
        <source>Sharing</source>
        <translation>共用</translation>
    </message>
    <message>
        <source>Values and heads</source>
        <translation>数值与头</translation>
    </message>
    <message>
        <source>The oracle</source>
        <translation>基准</translation>
    </message>
    <message>
        <source>Harmless</source>
        <translation>无害</translation>
    </message>
    <message>
        <source>{fault} cannot be seen on {target}: ALiBi uses the distance between cache slots, and position ids are not used</source>
        <translation>{fault} 在 {target} 上看不出来：ALiBi 使用缓存槽位之间的距离，不使用位置编号</translation>
    </message>
    <message>
        <source>{fault} cannot be planted in {target}: it has no rotary positions</source>
        <translation>{fault} 无法植入 {target}：它没有旋转位置编码</translation>
    </message>
    <message>
        <source>{fault} cannot be seen on {target}: it moves all positions of a row alike, and only a learned table of positions notices that</source>
        <translation>{fault} 在 {target} 上看不出来：它把一行的位置整体平移，只有可学习的位置表才会察觉</translation>
    </message>
    <message>
        <source>{fault} cannot be planted in {target}: it has no position bias (ALiBi)</source>
        <translation>{fault} 无法植入 {target}：它没有位置偏置（ALiBi）</translation>
    </message>
    <message>
        <source>{fault} cannot be seen on {target}: with a single kv head both orders are the same</source>
        <translation>{fault} 在 {target} 上看不出来：只有一个 KV 头时，两种顺序相同</translation>
    </message>
    <message>
        <source>{fault} cannot be seen on {target}: it needs several kv heads, each shared by several query heads</source>
        <translation>{fault} 在 {target} 上看不出来：需要多个 KV 头，且每个由多个查询头共用</translation>
    </message>
    <message>
        <source>{fault} cannot be planted in the {layout} layout: it has no unused slots</source>
        <translation>{fault} 无法植入 {layout} 布局：它没有未用的槽位</translation>
    </message>
    <message>
        <source>{fault} cannot be planted in the {layout} layout: it needs one preallocated buffer (static)</source>
        <translation>{fault} 无法植入 {layout} 布局：需要一整块预分配的缓冲区（static）</translation>
    </message>
    <message>
        <source>{fault} cannot be planted in the {layout} layout: it has no window (sliding has)</source>
        <translation>{fault} 无法植入 {layout} 布局：它没有窗口（sliding 才有）</translation>
    </message>
    <message>
        <source>{fault} cannot be seen in {scenario}: it needs a batch of two rows</source>
        <translation>{fault} 在 {scenario} 中看不出来：它需要两行的批次</translation>
    </message>
    <message>
        <source>{fault} cannot be seen in {scenario}: it needs a padded row (ragged-batch)</source>
        <translation>{fault} 在 {scenario} 中看不出来：需要有填充的行（ragged-batch）</translation>
    </message>
    <message>
        <source>{fault} cannot be seen in {scenario}: it needs rows that are reordered (beam-reorder)</source>
        <translation>{fault} 在 {scenario} 中看不出来：需要重排批次行（beam-reorder）</translation>
    </message>
    <message>
        <source>{fault} cannot be seen in {scenario}: it needs tokens that are rejected (rollback)</source>
        <translation>{fault} 在 {scenario} 中看不出来：需要有被拒绝的词元（rollback）</translation>
    </message>
    <message>
        <source>{fault} cannot be seen in {scenario}: it needs another run on the same instance (second-run, interleaved)</source>
        <translation>{fault} 在 {scenario} 中看不出来：需要同一实例上的另一次运行（second-run、interleaved）</translation>
    </message>
    <message>
        <source>{fault} cannot be seen in {scenario}: it needs two runs alive at once (interleaved)</source>
        <translation>{fault} 在 {scenario} 中看不出来：需要两次运行同时进行（interleaved）</translation>
    </message>
    <message>
        <source>{fault} cannot be seen in {scenario}: it needs a first call of several tokens</source>
        <translation>{fault} 在 {scenario} 中看不出来：需要第一次调用就送入多个词元</translation>
    </message>
    <message>
        <source>{fault} cannot be seen in {scenario}: it needs a call of several tokens on a warm cache (chunked-prefill, second-turn, rollback)</source>
        <translation>{fault} 在 {scenario} 中看不出来：需要在已有缓存上一次送入多个词元（chunked-prefill、second-turn、rollback）</translation>
    </message>
    <message>
        <source>unknown {what} {given!r}; choose one of: {known}</source>
        <translation>未知的{what} {given!r}；可选：{known}</translation>
    </message>
    <message>
        <source>only one output can go to stdout (-)</source>
        <translation>只能有一个输出写到标准输出（-）</translation>
    </message>
    <message>
        <source>{path} is a file, and several scenarios need a folder; name a folder, or one --scenario</source>
        <translation>{path} 是文件，而多个场景需要文件夹；请指定文件夹，或只选一个 --scenario</translation>
    </message>
    <message>
        <source>step {step} of {target} ({scenario}) did not end within {timeout} s, and was ended; give it more with --step-timeout</source>
        <translation>{target}（{scenario}）的第 {step} 步在 {timeout} 秒内没有结束，已被终止；可用 --step-timeout 延长</translation>
    </message>
    <message>
        <source>loading {target} ({scenario}) did not end within {timeout} s, and was ended; give it more with --step-timeout</source>
        <translation>加载 {target}（{scenario}）未在 {timeout} 秒内结束，已被终止；可用 --step-timeout 给它更多时间</translation>
    </message>
    <message>
        <source>{path} is not a regular file; give the name of a file to write</source>
        <translation>{path} 不是普通文件；请给出要写入的文件名</translation>
    </message>
    <message>
        <source>{path} exists; give another name, or --force to replace it</source>
        <translation>{path} 已存在；请换个名字，或用 --force 覆盖</translation>
    </message>
    <message>
        <source>cannot write into {folder}: the folder is missing or read-only</source>
        <translation>无法写入 {folder}：文件夹不存在或只读</translation>
    </message>
    <message>
        <source>{path} holds {n} steps of a recording that was never closed; keep them with: show {path} --repair FILE, or give --force to record over them</source>
        <translation>{path} 中有 {n} 步尚未关闭的记录；可用 show {path} --repair 文件 保留它们，或加 --force 覆盖</translation>
    </message>
    <message>
        <source>{path} is named twice; outputs must not be the target or one another</source>
        <translation>{path} 出现了两次；输出文件不能是目标本身，也不能互相重复</translation>
    </message>
    <message>
        <source>the engine process ended without a result ({how}); the steps so far are kept</source>
        <translation>引擎进程未给出结果就结束了（{how}）；已完成的步骤保留</translation>
    </message>
    <message>
        <source>out of memory; use fewer steps or a shorter prompt</source>
        <translation>内存不足；请减少步数或缩短提示词</translation>
    </message>
    <message>
        <source>{place}: the target called sys.exit({code}); it ended without a result</source>
        <translation>{place}：目标调用了 sys.exit({code})，没有结果就结束了</translation>
    </message>
    <message>
        <source>{place}: the target is not valid Python: {reason}</source>
        <translation>{place}：目标不是有效的 Python：{reason}</translation>
    </message>
    <message>
        <source>internal error, please report it: {kind}: {reason}</source>
        <translation>内部错误，请报告：{kind}：{reason}</translation>
    </message>
    <message>
        <source>{place}: the target failed: {kind}: {reason}</source>
        <translation>{place}：目标出错：{kind}：{reason}</translation>
    </message>
    <message>
        <source>a sliding cache overwrites old rows, it cannot be rolled back</source>
        <translation>滑动窗口缓存会覆盖旧行，无法回滚</translation>
    </message>
    <message>
        <source>cannot read {path}: {reason}</source>
        <translation>无法读取 {path}：{reason}</translation>
    </message>
    <message>
        <source>{path} has changed since it was allowed to run; open it again</source>
        <translation>{path} 在获准运行后已改变；请重新打开</translation>
    </message>
    <message>
        <source>cached() returned {kind}, expected a pair (logits, cache)</source>
        <translation>cached() 返回了 {kind}，应为一对 (logits, cache)</translation>
    </message>
    <message>
        <source>the target has no {function}()</source>
        <translation>目标没有 {function}()</translation>
    </message>
    <message>
        <source>full() and cached() do not both take the keyword attention_mask</source>
        <translation>full() 和 cached() 并非都接受关键字参数 attention_mask</translation>
    </message>
    <message>
        <source>{path} has no encode(text); give the prompt as ids with --prompt-ids 3,1,4</source>
        <translation>{path} 没有 encode(text)；请用 --prompt-ids 3,1,4 以编号给出提示词</translation>
    </message>
    <message>
        <source>encode() returned {shown}, expected a list of token ids</source>
        <translation>encode() 返回了 {shown}，应为词元 id 的列表</translation>
    </message>
    <message>
        <source>full() returned logits of shape {shown}, expected [batch, tokens, vocabulary]</source>
        <translation>full() 返回的 logits 形状为 {shown}，应为 [batch, tokens, vocabulary]</translation>
    </message>
    <message>
        <source>{function}() returned {shown} as logits, expected a float tensor [batch, tokens, vocabulary] or the same as a numpy array (numpy.asarray makes one of lists and of other libraries&apos; arrays)</source>
        <translation>{function}() 返回的 logits 是 {shown}，应为浮点张量 [batch, tokens, vocabulary]，或同形状的 numpy 数组（列表和其他库的数组可用 numpy.asarray 转换）</translation>
    </message>
    <message>
        <source>{path} defines no {name}(); a target needs full(ids) and cached(ids, cache), see the README</source>
        <translation>{path} 没有定义 {name}()；目标需要 full(ids) 和 cached(ids, cache)，见 README</translation>
    </message>
    <message>
        <source>{name} of {path} is {value}, expected a whole number from 1 on</source>
        <translation>{path} 的 {name} 是 {value}，应为不小于 1 的整数</translation>
    </message>
    <message>
        <source>--sample is for --mode free: the verdict rests on greedy tokens, fed to both lanes</source>
        <translation>--sample 用于 --mode free：结论以送入两路的贪心词元为准</translation>
    </message>
    <message>
        <source>--temperature and --seed are for --sample</source>
        <translation>--temperature 和 --seed 用于 --sample</translation>
    </message>
    <message>
        <source>--layout is for built-in models and hf: targets; {target} brings its own cache</source>
        <translation>--layout 用于内置模型和 hf: 目标；{target} 自带缓存</translation>
    </message>
    <message>
        <source>--allow-network is for hf: targets; {target} is local</source>
        <translation>--allow-network 用于 hf: 目标；{target} 是本地目标</translation>
    </message>
    <message>
        <source>--shared is for target files; {target} has its weights loaded once in any case</source>
        <translation>--shared 用于目标文件；{target} 的权重本来就只加载一次</translation>
    </message>
    <message>
        <source>the prompt is not valid text at character {at} (a lone surrogate); give its ids with --prompt-ids</source>
        <translation>提示词在第 {at} 个字符处不是有效文本（孤立的代理项）；请用 --prompt-ids 给出编号</translation>
    </message>
    <message>
        <source>could not be run in {dtype}: {reason}</source>
        <translation>无法以 {dtype} 运行：{reason}</translation>
    </message>
    <message>
        <source>the oracle was run stepwise: in 16 bits each step is judged beside the same in float32</source>
        <translation>基准逐步运行：16 位下每一步都与 float32 的同一步对照判定</translation>
    </message>
    <message>
        <source>the oracle was run stepwise: {scenario} does more than feed rows of one length</source>
        <translation>基准逐步运行：{scenario} 不只是送入等长的行</translation>
    </message>
    <message>
        <source>the cause could not be looked for: {reason}</source>
        <translation>无法查找原因：{reason}</translation>
    </message>
    <message>
        <source>the default prompt was cut to {kept} tokens: the model&apos;s context has room for {max_length}</source>
        <translation>默认提示词已截到 {kept} 个词元：模型的上下文只能容纳 {max_length} 个</translation>
    </message>
    <message>
        <source>encode() gives no ids inside the vocabulary for {text!r}; the ids {ids} are fed instead</source>
        <translation>encode() 对 {text!r} 没有给出词表内的 id；改为送入 {ids}</translation>
    </message>
    <message>
        <source>the prompt has no tokens; add text with --prompt or ids with --prompt-ids</source>
        <translation>提示词没有词元；请用 --prompt 给出文本，或用 --prompt-ids 给出编号</translation>
    </message>
    <message>
        <source>prompt id {token_id} at place {place} is outside the vocabulary 0..{last}</source>
        <translation>第 {place} 处的提示词编号 {token_id} 超出词表 0..{last}</translation>
    </message>
    <message>
        <source>{function}() changes its input ids in place</source>
        <translation>{function}() 就地修改了输入的编号</translation>
    </message>
    <message>
        <source>the target returned logits {shown}, expected {expected} = [batch, tokens, vocabulary]</source>
        <translation>目标返回的 logits 为 {shown}，应为 {expected} = [批次, 词元, 词表]</translation>
    </message>
    <message>
        <source>the prompt has {n_tokens} tokens and the model&apos;s context is {max_length}; shorten the prompt, one decode step needs room</source>
        <translation>提示词有 {n_tokens} 个词元，模型上下文为 {max_length}；请缩短提示词，至少要留出一个解码步</translation>
    </message>
    <message>
        <source>stopped at the model&apos;s context of {max_length} tokens: {n_steps} of {n_planned} steps</source>
        <translation>在模型上下文 {max_length} 个词元处停止：{n_planned} 步中完成 {n_steps} 步</translation>
    </message>
    <message>
        <source>what makes this scenario does not fit: give a longer prompt, more --steps, or a model with a longer context</source>
        <translation>放不下构成此场景的内容：请给更长的提示词、更多 --steps，或上下文更长的模型</translation>
    </message>
    <message>
        <source>{option} is for hf: targets; {target} runs where its weights are</source>
        <translation>{option} 只用于 hf: 目标；{target} 在其权重所在的设备上运行</translation>
    </message>
    <message>
        <source>cannot load {target}: {reason}</source>
        <translation>无法加载 {target}：{reason}</translation>
    </message>
    <message>
        <source>there is no target {target}; give one of {known}, or a Python file that defines full() and cached()</source>
        <translation>没有目标 {target}；请给出 {known} 之一，或定义了 full() 和 cached() 的 Python 文件</translation>
    </message>
    <message>
        <source>full() of {target} is not reproducible: the same ids give other logits when it is called again; switch dropout off (module.eval()) and seed what is drawn</source>
        <translation>{target} 的 full() 不可重现：同样的编号再次调用得到不同的 logits；请关闭 dropout（module.eval()）并为随机数设定种子</translation>
    </message>
    <message>
        <source>full() of {target} keeps something from its calls: other ids fed before change its logits; it must be a function of its ids alone</source>
        <translation>{target} 的 full() 会保留先前调用的状态：之前送入的其他 id 改变了它的 logits；它必须只取决于自己的 id</translation>
    </message>
    <message>
        <source>two loads of {target} give different logits: its weights are not seeded; call torch.manual_seed before they are made, or load them from a file</source>
        <translation>两次加载 {target} 得到不同的 logits：权重没有设定种子；请在生成前调用 torch.manual_seed，或从文件加载</translation>
    </message>
    <message>
        <source>the trace is damaged at byte {offset}: {why}</source>
        <translation>轨迹在第 {offset} 字节处损坏：{why}</translation>
    </message>
    <message>
        <source>{where} is not a readable step: {why}</source>
        <translation>{where} 不是可读的步骤：{why}</translation>
    </message>
    <message>
        <source>{path} has format {format} {version}, this version reads {known}; open it with a newer KVScope</source>
        <translation>{path} 的格式为 {format} {version}，此版本只能读 {known}；请用更新的 KVScope 打开</translation>
    </message>
    <message>
        <source>the recording was not closed: {n_steps} complete steps are here, {lost} bytes after them are not readable</source>
        <translation>记录没有正常结束：有 {n_steps} 个完整步骤，其后 {lost} 字节不可读</translation>
    </message>
    <message>
        <source>a GGUF model</source>
        <translation>GGUF 模型</translation>
    </message>
    <message>
        <source>an HTML page</source>
        <translation>HTML 页面</translation>
    </message>
    <message>
        <source>an XML file</source>
        <translation>XML 文件</translation>
    </message>
    <message>
        <source>a Git LFS pointer</source>
        <translation>Git LFS 指针文件</translation>
    </message>
    <message>
        <source>a pickle</source>
        <translation>pickle 文件</translation>
    </message>
    <message>
        <source>a PNG picture</source>
        <translation>PNG 图片</translation>
    </message>
    <message>
        <source>a gzip file</source>
        <translation>gzip 压缩文件</translation>
    </message>
    <message>
        <source>a numpy array</source>
        <translation>NumPy 数组</translation>
    </message>
    <message>
        <source>an HDF5 file</source>
        <translation>HDF5 文件</translation>
    </message>
    <message>
        <source>a PDF</source>
        <translation>PDF 文件</translation>
    </message>
    <message>
        <source>a bzip2 file</source>
        <translation>bzip2 压缩文件</translation>
    </message>
    <message>
        <source>an xz file</source>
        <translation>xz 压缩文件</translation>
    </message>
    <message>
        <source>a 7z archive</source>
        <translation>7z 压缩包</translation>
    </message>
    <message>
        <source>a zstd file</source>
        <translation>zstd 压缩文件</translation>
    </message>
    <message>
        <source>a program</source>
        <translation>可执行程序</translation>
    </message>
    <message>
        <source>a script</source>
        <translation>脚本</translation>
    </message>
    <message>
        <source>an SQLite database</source>
        <translation>SQLite 数据库</translation>
    </message>
    <message>
        <source>a file of log-probabilities of llama-perplexity</source>
        <translation>llama-perplexity 的对数概率文件</translation>
    </message>
    <message>
        <source>a Parquet file</source>
        <translation>Parquet 文件</translation>
    </message>
    <message>
        <source>a JSON file</source>
        <translation>JSON 文件</translation>
    </message>
    <message>
        <source>cannot open {path}: {reason}</source>
        <translation>无法打开 {path}：{reason}</translation>
    </message>
    <message>
        <source>{path} is not a regular file; give a .kvtrace file</source>
        <translation>{path} 不是普通文件；请给出 .kvtrace 文件</translation>
    </message>
    <message>
        <source>{path} is not a kvtrace file; record one with `check --trace F`</source>
        <translation>{path} 不是 kvtrace 文件；可用 `check --trace F` 记录一个</translation>
    </message>
    <message>
        <source>{path} is not a kvtrace file (it looks like {guess}); record one with `check --trace F`</source>
        <translation>{path} 不是 kvtrace 文件（看起来是 {guess}）；可用 `check --trace F` 记录一个</translation>
    </message>
    <message>
        <source>an empty file</source>
        <translation>空文件</translation>
    </message>
    <message>
        <source>another ZIP file</source>
        <translation>其他 ZIP 文件</translation>
    </message>
    <message>
        <source>a plain safetensors file</source>
        <translation>普通的 safetensors 文件</translation>
    </message>
    <message>
        <source>a tar archive</source>
        <translation>tar 归档文件</translation>
    </message>
    <message>
        <source>{where} in the trace is not readable: {reason}</source>
        <translation>轨迹中的 {where} 不可读：{reason}</translation>
    </message>
    <message>
        <source>{path} is being written by another KVScope; give another name</source>
        <translation>{path} 正由另一个 KVScope 写入，请换一个名字</translation>
    </message>
    <message>
        <source>cannot write {path}: {reason}. The steps written so far are kept.</source>
        <translation>无法写入 {path}：{reason}。已写入的步骤保留。</translation>
    </message>
    <message>
        <source>divergent from step {step}</source>
        <translation>自第 {step} 步起不一致</translation>
    </message>
    <message>
        <source>one lane only: nothing to compare</source>
        <translation>只有一路，无从比较</translation>
    </message>
    <message>
        <source>no decode step compared yet</source>
        <translation>尚未比较任何解码步</translation>
    </message>
    <message>
        <source>ended early, after {n_steps} of {n_planned} steps</source>
        <translation>提前结束，{n_planned} 步中完成 {n_steps} 步</translation>
    </message>
    <message>
        <source>equal so far, {n_steps} of {n_planned} steps</source>
        <translation>目前一致，{n_planned} 步中已完成 {n_steps} 步</translation>
    </message>
    <message>
        <source>equivalent over {n_steps} steps</source>
        <translation>{n_steps} 步全部等价</translation>
    </message>
    <message>
        <source>The trace has the {lane} lane only</source>
        <translation>此轨迹只有 {lane} 一路</translation>
    </message>
    <message>
        <source>Open two traces of the same tokens together, and they are compared.</source>
        <translation>同时打开词元相同的两个轨迹，就会加以比较。</translation>
    </message>
    <message>
        <source>An invariant of the cache does not hold.</source>
        <translation>缓存的一条不变量不成立。</translation>
    </message>
    <message>
        <source>The run ended early: {n_steps} of {n_planned} steps are there, and they agree</source>
        <translation>运行提前结束：{n_planned} 步中有 {n_steps} 步，且两路一致</translation>
    </message>
    <message>
        <source>It was cancelled.</source>
        <translation>运行已取消。</translation>
    </message>
    <message>
        <source>Both lanes agree in {n_steps} steps</source>
        <translation>两路在 {n_steps} 步中一致</translation>
    </message>
    <message>
        <source>Step {step}: the logits differ by {diff}, over the tolerance of {tolerance}</source>
        <translation>第 {step} 步：logit 相差 {diff}，超出容差 {tolerance}</translation>
    </message>
    <message>
        <source>Step {step}: the logits differ by {diff}; that is within the tolerance of {tolerance}, but no rounding</source>
        <translation>第 {step} 步：logits 相差 {diff}；虽在容差 {tolerance} 之内，但不是舍入误差</translation>
    </message>
    <message>
        <source>It begins with the position ids: the token at place {slot} of batch row {row} was told another position than the oracle was, {gap} away.</source>
        <translation>起点是位置编号：批次第 {row} 行第 {slot} 个词元得到的位置与基准不同，相差 {gap}。</translation>
    </message>
    <message>
        <source>It begins in layer {layer}, {tensor}, head {head}, batch row {row}: largest difference {diff}; what comes before agrees.</source>
        <translation>起点在第 {layer} 层的 {tensor}，第 {head} 头，批次第 {row} 行：最大差值 {diff}；此前各张量一致。</translation>
    </message>
    <message>
        <source>It begins in layer {layer}, {tensor}, slot {slot}, batch row {row}: largest difference {diff}; what comes before agrees.</source>
        <translation>起点在第 {layer} 层的 {tensor}，槽位 {slot}，批次第 {row} 行：最大差值 {diff}；此前各张量一致。</translation>
    </message>
    <message>
        <source>What was measured.</source>
        <translation>测量结果。</translation>
    </message>
    <message>
        <source>Run the decode, or open a trace.</source>
        <translation>请运行解码，或打开一个轨迹。</translation>
    </message>
    <message>
        <source>The prompt is in the cache, and nothing has been decoded with it yet</source>
        <translation>提示词已进入缓存，尚未开始解码</translation>
    </message>
    <message>
        <source>Step on: the first decode step is where most cache faults begin.</source>
        <translation>请继续单步：多数缓存故障始于第一个解码步。</translation>
    </message>
    <message>
        <source>The largest logit difference is {largest}, the tolerance {tolerance}.</source>
        <translation>最大 logit 差值为 {largest}，容差为 {tolerance}。</translation>
    </message>
    <message>
        <source>Step {step} has {n} logits that are not finite</source>
        <translation>第 {step} 步有 {n} 个 logits 不是有限值</translation>
    </message>
    <message>
        <source>No recorded tensor before the logits differs beyond rounding.</source>
        <translation>在 logits 之前，已记录的张量均未超出舍入误差。</translation>
    </message>
    <message>
        <source>Note of the run.</source>
        <translation>本次运行的说明。</translation>
    </message>
    <message>
        <source>the file has changed meanwhile; run the scenarios again</source>
        <translation>文件在此期间已改变；请重新运行各场景</translation>
    </message>
    <message>
        <source>{path} has {n_bytes} bytes, which is too large for a target file</source>
        <translation>{path} 有 {n_bytes} 字节，对目标文件来说太大</translation>
    </message>
    <message>
        <source>{path} is not a readable GGUF file: {why}</source>
        <translation>{path} 不是可读的 GGUF 文件：{why}</translation>
    </message>
    <message>
        <source>{path}: download incomplete: {there} of {needed} bytes; download it again</source>
        <translation>{path}：下载不完整：{needed} 字节中只有 {there} 字节；请重新下载</translation>
    </message>
    <message>
        <source>{target}: {kind} takes no KV cache, there is nothing to compare</source>
        <translation>{target}：{kind} 不使用 KV 缓存，没有可比较的内容</translation>
    </message>
    <message>
        <source>the prompt holds the pad id {pad}, to which this model gives no position of its own, and its cache counts it all the same; try a prompt without it</source>
        <translation>提示词含有填充 id {pad}：该模型不为它单独编号位置，而其缓存仍会计入；请换用不含它的提示词再试</translation>
    </message>
    <message>
        <source>{target}: its cache cannot go back: {reason}</source>
        <translation>{target}：其缓存不能回退：{reason}</translation>
    </message>
    <message>
        <source>{kind} takes no attention_mask</source>
        <translation>{kind} 不接受 attention_mask</translation>
    </message>
    <message>
        <source>it takes no left pads: {reason}</source>
        <translation>它不接受左填充：{reason}</translation>
    </message>
    <message>
        <source>it takes no position_ids, and left pads shift the positions it counts itself</source>
        <translation>它不接受 position_ids，左填充会使它自己数的位置偏移</translation>
    </message>
    <message>
        <source>its cache cannot be rolled back: {reason}</source>
        <translation>其缓存不能回退：{reason}</translation>
    </message>
    <message>
        <source>its cache cannot be reordered</source>
        <translation>其缓存不能重排</translation>
    </message>
    <message>
        <source>{target} has no tokenizer; give the prompt as ids with --prompt-ids 3,1,4</source>
        <translation>{target} 没有分词器；请用 --prompt-ids 3,1,4 以编号给出提示词</translation>
    </message>
    <message>
        <source>{target}: the tokenizer gives id {token_id}, and the model&apos;s vocabulary ends at {last}; they do not belong together</source>
        <translation>{target}：分词器给出编号 {token_id}，而模型的词表到 {last} 为止；两者不匹配</translation>
    </message>
    <message>
        <source>{path} needs its own Python code (auto_map); it is not run. If transformers knows the model itself, delete auto_map from the file</source>
        <translation>{path} 需要自带的 Python 代码（auto_map）；不会运行它。若 transformers 本身认识该模型，请从文件中删除 auto_map</translation>
    </message>
    <message>
        <source>{path} asks for foreign code or files: {key} is {value!r}; it is not loaded</source>
        <translation>{path} 要求外来代码或文件：{key} 为 {value!r}；不予加载</translation>
    </message>
    <message>
        <source>{where}: {key} is {value!r}, expected a number from 1 to {largest}</source>
        <translation>{where}：{key} 为 {value!r}，应为 1 到 {largest} 的数</translation>
    </message>
    <message>
        <source>{path} is a pickle, which can run code while it is read; it is not loaded. Convert it where you trust it: AutoModelForCausalLM.from_pretrained(...).save_pretrained(...) writes safetensors</source>
        <translation>{path} 是 pickle，读取时可能运行代码；不予加载。请在可信的环境中转换：AutoModelForCausalLM.from_pretrained(...).save_pretrained(...) 会写出 safetensors</translation>
    </message>
    <message>
        <source>{path}: {why}</source>
        <translation>{path}：{why}</translation>
    </message>
    <message>
        <source>layout {layout} is one of the built-in models; {target} takes one of: {known}</source>
        <translation>布局 {layout} 属于内置模型；{target} 可用：{known}</translation>
    </message>
    <message>
        <source>{option} is for built-in models; {target} brings its own</source>
        <translation>{option} 只用于内置模型；{target} 自带</translation>
    </message>
    <message>
        <source>{path}: there is no such folder or file; nothing is downloaded without --allow-network</source>
        <translation>{path}：没有这个文件夹或文件；没有 --allow-network 时不会下载任何内容</translation>
    </message>
    <message>
        <source>{path} changed while it was read; run again</source>
        <translation>{path} 在读取时改变了；请重新运行</translation>
    </message>
    <message>
        <source>{path}: {kind} reads its text in both directions; as a decoder it needs is_decoder in config.json</source>
        <translation>{path}：{kind} 双向读取文本；作为解码器需要在 config.json 中设置 is_decoder</translation>
    </message>
    <message>
        <source>hf: targets need transformers, which is not installed ({reason}): {install}</source>
        <translation>hf: 目标需要 transformers，但没有安装（{reason}）：{install}</translation>
    </message>
    <message>
        <source>hf: targets need transformers {oldest} or newer, found {found}: {install}</source>
        <translation>hf: 目标需要 transformers {oldest} 或更新版本，现为 {found}：{install}</translation>
    </message>
    <message>
        <source>{path}: the weights do not fit the model, {what}: {names}{more}</source>
        <translation>{path}：权重与模型不符，{what}：{names}{more}</translation>
    </message>
    <message>
        <source>both lanes share the model&apos;s weights; state that it keeps on its modules would pass between them</source>
        <translation>两路共用模型的权重；保存在模块上的状态会在两路之间传递</translation>
    </message>
    <message>
        <source>the tokenizer has {n_tokens} tokens, the model {vocab_size}</source>
        <translation>分词器有 {n_tokens} 个词元，模型有 {vocab_size} 个</translation>
    </message>
    <message>
        <source>{name} holds {count} values that are not finite</source>
        <translation>{name} 中有 {count} 个非有限值</translation>
    </message>
    <message>
        <source>this machine has no device {device}; available: {available}</source>
        <translation>此机器没有设备 {device}；可用：{available}</translation>
    </message>
    <message>
        <source>{name} needs about {needed} MB on {device} and {free} MB are free; close other programs, or give --dtype bf16</source>
        <translation>{name} 在 {device} 上约需 {needed} MB，空闲 {free} MB；请关闭其他程序，或使用 --dtype bf16</translation>
    </message>
    <message>
        <source>Seen is what torch computes in the engine&apos;s process: F.scaled_dot_product_attention, or attention written as product, softmax, product. Tokens, logits and the verdict need none of it.</source>
        <translation>能看到的是 torch 在引擎进程中计算的注意力：F.scaled_dot_product_attention，或写成“乘积、softmax、乘积”的注意力。词元、logits 和结论不依赖它。</translation>
    </message>
    <message>
        <source>{n_tokens} tokens are too many for a map of all of them.</source>
        <translation>{n_tokens} 个词元太多，无法绘制包含全部词元的图。</translation>
    </message>
    <message>
        <source>Up to {most} are drawn: look at an earlier step.</source>
        <translation>最多绘制 {most} 个：请查看更早的步骤。</translation>
    </message>
    <message>
        <source>No attention was recognised in this run.</source>
        <translation>此次运行中没有识别到注意力。</translation>
    </message>
    <message>
        <source>No attention was seen in step {step}, layer {layer}.</source>
        <translation>第 {step} 步第 {layer} 层没有看到注意力。</translation>
    </message>
    <message>
        <source>Other steps or layers of the run have it.</source>
        <translation>此次运行的其他步或层有注意力。</translation>
    </message>
    <message>
        <source>No keys and values were seen in this step.</source>
        <translation>这一步没有看到键和值。</translation>
    </message>
    <message>
        <source>They are read from the cache where its kind is known, and else from what attention is given. Where attention is not recognised, shapes, growth and bytes are unknown.</source>
        <translation>缓存的类型已知时从缓存读取，否则从注意力得到的输入读取。识别不到注意力时，形状、增长和字节数未知。</translation>
    </message>
    <message>
        <source>No differences per cache slot in this step.</source>
        <translation>这一步没有各缓存槽位的差值。</translation>
    </message>
    <message>
        <source>They need the keys and values of both lanes, layer by layer.</source>
        <translation>需要两路逐层的键和值。</translation>
    </message>
    <message>
        <source>The trace has the {lane} lane only.</source>
        <translation>此轨迹只有 {lane} 一路。</translation>
    </message>
    <message>
        <source>This trace has no logits for this step.</source>
        <translation>此轨迹没有这一步的 logits。</translation>
    </message>
    <message>
        <source>They are named oracle/logits and cached/logits, or top_ids and top_logits.</source>
        <translation>它们名为 oracle/logits 与 cached/logits，或 top_ids 与 top_logits。</translation>
    </message>
    <message>
        <source>no decode step was compared</source>
        <translation>没有比较任何解码步</translation>
    </message>
    <message>
        <source>only {n_steps} of {n_planned} steps are recorded</source>
        <translation>{n_planned} 步中只录制了 {n_steps} 步</translation>
    </message>
    <message>
        <source>the oracle was run stepwise: one pass over the whole text differs from it by {difference} at {n_tokens} tokens, so the model is not causal in that sense</source>
        <translation>基准已改为逐步运行：对全文一次前向与它在 {n_tokens} 个词元处相差 {difference}，因此该模型在此意义上不是因果的</translation>
    </message>
    <message>
        <source>Layer {layer} computes something else than the attention shown: its weights times v miss the output that the model got by {percent} %.</source>
        <translation>第 {layer} 层计算的并非所显示的注意力：其权重乘以 v 与模型得到的输出相差 {percent} %。</translation>
    </message>
    <message>
        <source>the target gives other logits when its attention is watched, so it was not</source>
        <translation>观察注意力时目标给出不同的 logits，因此没有观察</translation>
    </message>
    <message>
        <source>the lanes&apos; layers could not be compared: {reason}</source>
        <translation>两条通道的各层无法比较：{reason}</translation>
    </message>
    <message>
        <source>attention could not be recorded: {reason}</source>
        <translation>无法记录注意力：{reason}</translation>
    </message>
    <message>
        <source>the trace contradicts itself at step {step}: {why}</source>
        <translation>记录在第 {step} 步自相矛盾：{why}</translation>
    </message>
    <message>
        <source>{fault} begins when the text has {n_tokens} tokens, and this run ends before; give a longer prompt or more steps</source>
        <translation>{fault} 在文本达到 {n_tokens} 个词元时才开始，而这次运行在此之前就结束了；请加长提示词或增加步数</translation>
    </message>
    <message>
        <source>{fault} is harmless: it looks like a fault, and the run must stay equivalent</source>
        <translation>{fault} 是无害的：看起来像故障，但运行结果必须保持等价</translation>
    </message>
    <message>
        <source>All positions are 3 too large</source>
        <translation>所有位置都多 3</translation>
    </message>
    <message>
        <source>The cached lane counts from 3, in the prefill and in decoding alike. Queries and keys are rotated otherwise, and RoPE sees only their difference.</source>
        <translation>缓存一路在预填充和解码时都从 3 数起。查询和键的旋转都变了，而 RoPE 只看二者之差。</translation>
    </message>
    <message>
        <source>The bias is one step too large for all keys</source>
        <translation>所有键的偏置都多一步</translation>
    </message>
    <message>
        <source>ALiBi counts the distance from one place too far, for every key of a query. Softmax does not see what all keys share.</source>
        <translation>对一个查询的每个键，ALiBi 的距离都多数了一位。所有键共有的部分，softmax 看不到。</translation>
    </message>
    <message>
        <source>Rows in another order</source>
        <translation>行的顺序不同</translation>
    </message>
    <message>
        <source>The rows of the prompt lie in the cache in reverse, and mask and bias follow them. Attention is a sum over rows, and does not care.</source>
        <translation>提示词的行在缓存里是倒序的，掩码和偏置也随之调整。注意力是对各行求和，与顺序无关。</translation>
    </message>
    <message>
        <source>Keys are rotated when read</source>
        <translation>键在读取时旋转</translation>
    </message>
    <message>
        <source>Keys are cached without rotation, and the code that reads them rotates each by its own position. The slots hold other numbers, attention gets the same.</source>
        <translation>缓存的键没有旋转，读取的代码按各自的位置旋转每个键。槽位里的数值不同，注意力得到的一样。</translation>
    </message>
    <message>
        <source>The buffer grows and is copied</source>
        <translation>缓冲区增长并复制</translation>
    </message>
    <message>
        <source>A full buffer is replaced by a larger one, and every row is copied to its slot. Storage changes, rows do not.</source>
        <translation>缓冲区满了就换成更大的，每一行都复制到自己的槽位。存储变了，行没有变。</translation>
    </message>
    <message>
        <source>The oracle has no causal mask</source>
        <translation>基准没有因果掩码</translation>
    </message>
    <message>
        <source>The path without a cache is the one that forgets the mask, and the cached lane is right. Its own old rows change whenever a token is added.</source>
        <translation>忘了掩码的是不用缓存的路径，缓存一路是对的。每增加一个词元，基准自己的旧行就会改变。</translation>
    </message>
    <message>
        <source>The oracle sees one token ahead</source>
        <translation>基准多看了一个词元</translation>
    </message>
    <message>
        <source>The path without a cache draws the diagonal of its mask one place to the right. Every token sees the next one, except the last.</source>
        <translation>不用缓存的路径把掩码的对角线向右画了一位。除最后一个外，每个词元都能看到下一个。</translation>
    </message>
    <message>
        <source>The oracle starts at its newest token</source>
        <translation>基准从最新词元的位置数起</translation>
    </message>
    <message>
        <source>The path without a cache gives the whole text the offset that is meant for its newest token. RoPE does not mind, since all tokens move together; a learned table gives other embeddings.</source>
        <translation>不用缓存的路径把只该给最新词元的偏移量给了整段文本。RoPE 不受影响，因为词元整体平移；可学习的位置表则会给出别的嵌入。</translation>
    </message>
    <message>
        <source>The oracle crops its text</source>
        <translation>基准截断了文本</translation>
    </message>
    <message>
        <source>The path without a cache keeps the last 48 tokens and counts them from 0 (`ids[-48:]`), while cached rows keep their positions and what they have seen. Both are right, and they are two different functions.</source>
        <translation>不用缓存的路径只保留最后 48 个词元并从 0 数起（`ids[-48:]`），缓存的行则保留原来的位置和看到过的内容。两者都对，却是两个不同的函数。</translation>
    </message>
    <message>
        <source>Look where the decode call builds its positions: arange(q_len) starts at 0 again. Start at what the cache holds, arange(past_len, past_len + q_len).</source>
        <translation>请看解码调用在哪里构造位置：arange(q_len) 又从 0 开始了。应从缓存已有的长度开始：arange(past_len, past_len + q_len)。</translation>
    </message>
    <message>
        <source>Look where the offset is advanced: off by one, advanced by the prompt twice, or taken from a cache length that stops growing. Keep one counter of tokens fed, and add q_len to it once per call.</source>
        <translation>请看偏移量在哪里递增：差一、把提示的长度加了两次，或取自不再增长的缓存长度。应只保留一个已输入词元的计数器，每次调用加一次 q_len。</translation>
    </message>
    <message>
        <source>Look for positions that all rows share, such as arange or a 1-D cache_position: they count left pads. Count tokens row by row, (attention_mask.cumsum(-1) - 1)[:, -q_len:].</source>
        <translation>请找各行共用的位置，例如 arange 或一维的 cache_position：它们把左侧填充也数了进去。应逐行数词元：(attention_mask.cumsum(-1) - 1)[:, -q_len:]。</translation>
    </message>
    <message>
        <source>Look at what cos and sin are taken for: a table remembered by length, an offset read after the cache has advanced, or cached keys rotated again when read. Rotate q and the new k once, by position_ids, before k is stored.</source>
        <translation>请看 cos 和 sin 按什么取：按长度记住的表、缓存前进之后才读的偏移量，或读取时把已缓存的键再旋转一次。应在存入 k 之前，按 position_ids 把 q 和新的 k 各旋转一次。</translation>
    </message>
    <message>
        <source>Look for is_causal=True or tril(ones(q_len, kv_len)) with q_len &lt; kv_len: the triangle starts at the first key and hides the past. Align it to the last key, tril(ones(q_len, kv_len), diagonal=kv_len - q_len).</source>
        <translation>请找 q_len &lt; kv_len 时的 is_causal=True 或 tril(ones(q_len, kv_len))：三角从第一个键开始，遮住了过去。应与最后一个键对齐：tril(ones(q_len, kv_len), diagonal=kv_len - q_len)。</translation>
    </message>
    <message>
        <source>Look for a causal mask that is left out as soon as there is a cache, or is only built when q_len equals kv_len. Chunks and turns feed several tokens to a filled cache, so mask whenever q_len &gt; 1.</source>
        <translation>请找一有缓存就省去、或仅在 q_len 等于 kv_len 时才构造的因果掩码。分块和多轮会向已有内容的缓存输入多个词元，所以只要 q_len &gt; 1 就要加掩码。</translation>
    </message>
    <message>
        <source>Look where the decode step builds its mask: it is as long as the new tokens, or is dropped, so old pads can be seen. Hand on attention_mask for all kv_len columns, at every step.</source>
        <translation>请看解码步在哪里构造掩码：它只有新词元那么长，或被丢掉，于是看得见原来的填充。应在每一步都传入覆盖全部 kv_len 列的 attention_mask。</translation>
    </message>
    <message>
        <source>Look where attention reads a preallocated cache: it gets the whole buffer, with rows that nobody has written. Slice k and v to the valid length, k[:, :, :kv_len], or mask what lies behind it.</source>
        <translation>请看注意力在哪里读取预分配的缓存：它拿到了整个缓冲区，包括没有写过的行。应把 k 和 v 切到有效长度 k[:, :, :kv_len]，或遮住后面的部分。</translation>
    </message>
    <message>
        <source>Look at both places that know the window, the mask of the prefill and the cache of the decode: &gt; q - W and &gt;= q - W differ by one key. Let both see exactly the last W keys, the token itself included.</source>
        <translation>请看知道窗口大小的两处：预填充的掩码和解码的缓存；&gt; q - W 与 &gt;= q - W 差一个键。应让两处都恰好看到最后 W 个键，含词元自身。</translation>
    </message>
    <message>
        <source>Look where the position bias (ALiBi, relative) is cut to size: bias[:q_len] takes the rows of the first tokens. The new tokens are the last rows, bias[kv_len - q_len : kv_len].</source>
        <translation>请看位置偏置（ALiBi、相对位置）在哪里截取：bias[:q_len] 取的是最前面词元的行。新词元是最后几行：bias[kv_len - q_len : kv_len]。</translation>
    </message>
    <message>
        <source>Look at what the decode call is fed: all ids again, or a layer that appends twice, so that tokens are in the cache more than once. Feed only what the cache does not hold, input_ids[:, past_len:].</source>
        <translation>请看解码调用输入了什么：又输入了全部编号，或某一层追加了两次，使词元在缓存中重复。应只输入缓存里还没有的：input_ids[:, past_len:]。</translation>
    </message>
    <message>
        <source>Look at the write index and at what happens when the buffer is full: the newest row left out, the one before overwritten, or old rows evicted. Write slots past_len up to past_len + q_len, and grow before writing.</source>
        <translation>请看写入下标，以及缓冲区写满时会怎样：漏掉最新的行、覆盖前一行，或挤掉旧行。应写入槽位 past_len 到 past_len + q_len，并在写入之前扩容。</translation>
    </message>
    <message>
        <source>Look for a cache that outlives its text: made once in __init__ and not cleared between runs, or not cropped when drafts are rejected. Make a new cache for each run, and crop it to the accepted length in every layer.</source>
        <translation>请找比文本活得更久的缓存：在 __init__ 里只建一次、两次运行之间不清空，或草稿被拒后没有裁剪。应每次运行新建缓存，并在每一层裁剪到已接受的长度。</translation>
    </message>
    <message>
        <source>Look for [cache] * n_layers, a default argument, or a layer_idx that is accepted and not used: the layers write into one storage. Make one buffer a layer, [make_cache() for _ in range(n_layers)].</source>
        <translation>请找 [cache] * n_layers、默认参数，或收下却没有用的 layer_idx：各层写进了同一块存储。应每层一个缓冲区：[make_cache() for _ in range(n_layers)]。</translation>
    </message>
    <message>
        <source>Look for expand() where rows need storage of their own, and at the reordering of beams: its result dropped, or only k reordered. Use index_select(0, rows) on k and on v, and keep what it returns.</source>
        <translation>请找各行需要独立存储却用了 expand() 的地方，以及束搜索的重排：结果被丢掉，或只重排了 k。应对 k 和 v 都用 index_select(0, rows)，并保留返回值。</translation>
    </message>
    <message>
        <source>Look for view or reshape where heads and tokens should change places: the numbers stay, their places do not. Write x.view(B, T, H, D).transpose(1, 2), and copy row by row when a buffer grows.</source>
        <translation>请找本该交换头与词元、却用了 view 或 reshape 的地方：数值没变，位置变了。应写 x.view(B, T, H, D).transpose(1, 2)，缓冲区扩容时逐行复制。</translation>
    </message>
    <message>
        <source>Look where kv heads are spread over the query heads: repeat() gives 0 1 0 1, and query heads need 0 0 1 1. Use repeat_interleave(n_heads // n_kv_heads, dim=1).</source>
        <translation>请看 kv 头在哪里分配给查询头：repeat() 得到 0 1 0 1，而查询头需要 0 0 1 1。应使用 repeat_interleave(n_heads // n_kv_heads, dim=1)。</translation>
    </message>
    <message>
        <source>Look at the dtype of the cache and at its quantisation: allocated in a narrower dtype than the model, or with scales that do not fit their rows. Allocate with dtype=k.dtype, and store the scales beside the codes.</source>
        <translation>请看缓存的 dtype 和量化：分配的 dtype 比模型窄，或缩放系数与行不匹配。应以 dtype=k.dtype 分配，并把缩放系数与编码存在一起。</translation>
    </message>
    <message>
        <source>Look at the softmax scale of the cached path: applied twice, left out, or taken from another head_dim than the uncached path takes. Hand the same scale to both, head_dim ** -0.5 where the model has no other.</source>
        <translation>请看缓存路径的 softmax 缩放：用了两次、漏掉了，或取自与无缓存路径不同的 head_dim。应给两条路径同一个缩放；模型没有另外规定时为 head_dim ** -0.5。</translation>
    </message>
    <message>
        <source>Look for a copied line in the code that stores, selects or returns the cache: values filled from keys, or the pair unpacked in the other order. Each append, reorder and repeat needs k from k and v from v.</source>
        <translation>请在存储、选取或返回缓存的代码里找复制来的一行：值取自键，或这一对按相反的顺序解包。每次追加、重排和重复都应 k 取自 k，v 取自 v。</translation>
    </message>
    <message>
        <source>Look at what happens past max_length: the text is cut and moved, so old tokens get new positions, and cached rows no longer fit. Stop at max_length, or build the cache anew when the text has moved.</source>
        <translation>请看超过 max_length 之后会怎样：文本被截断并前移，旧词元得到新位置，缓存的行便不再相符。应在 max_length 停下，或在文本移动后重建缓存。</translation>
    </message>
    <message>
        <source>Look for state on the module or at module level, such as self.cache, self.offset or a global dict: two runs that take turns read each other&apos;s. Keep all of it in the cache object that is handed in and out.</source>
        <translation>请找模块上或模块级的状态，例如 self.cache、self.offset 或全局字典：交替进行的两次运行会读到对方的。应全部放进传入传出的缓存对象。</translation>
    </message>
    <message>
        <source>Look at the convolution or state-space state at the end of the prefill: pads or chunk filling have gone into it, or the last inputs were not kept. Update it by real tokens only, and hand on the final state.</source>
        <translation>请看预填充结束时的卷积状态或状态空间状态：混入了填充或分块的补齐，或没有保留最后几个输入。应只用真实词元更新，并把最终状态传下去。</translation>
    </message>
    <message>
        <source>Look at full() first: logits of old tokens change when tokens are added, so it is no reference. Usual are a missing causal mask, positions that start elsewhere, and layers that only work with a cache.</source>
        <translation>请先看 full()：加入词元后旧词元的 logits 变了，所以它不能作为基准。常见原因是缺少因果掩码、位置从别处开始，以及离开缓存就不工作的层。</translation>
    </message>
    <message>
        <source>There is nothing to repair: matrix products of other shapes add in another order. If the difference disturbs you, run both lanes in a wider dtype, or raise the tolerance.</source>
        <translation>没有什么要修：形状不同的矩阵乘法，累加顺序也不同。若差异碍事，可让两条路径都用更宽的 dtype 运行，或放宽容差。</translation>
    </message>
    <message>
        <source>There is nothing to repair: the two best logits are closer than rounding. Compare logits instead of the chosen tokens, or break ties by the lowest token id.</source>
        <translation>没有什么要修：最高的两个 logits 比舍入误差还接近。应比较 logits 而不是选出的词元，或在相同时取编号最小的词元。</translation>
    </message>
    <message>
        <source>There is nothing to repair: all positions, or all scores of a row, are shifted by one constant, which softmax does not see. Make both lanes count from the same start if they are to be compared tensor by tensor.</source>
        <translation>没有什么要修：所有位置，或一行的全部分数，都平移了同一个常数，softmax 看不见它。若要逐个张量比较，应让两条路径从同一起点计数。</translation>
    </message>
    <message>
        <source>No known fault fits: compare both lanes&apos; code for the tensor where it begins. Everything before it agrees, so the line that makes this tensor is the place for a breakpoint.</source>
        <translation>没有与已知故障相符的：请在差异开始的那个张量处比较两条路径的代码。它之前的都一致，所以适合在算出这个张量的那一行设断点。</translation>
    </message>
    <message>
        <source>Largest logit difference of every step</source>
        <translation>每一步的最大 logit 差</translation>
    </message>
    <message>
        <source>step {step}</source>
        <translation>第 {step} 步</translation>
    </message>
    <message>
        <source>layer {layer}</source>
        <translation>第 {layer} 层</translation>
    </message>
    <message>
        <source>slot {slot}</source>
        <translation>槽位 {slot}</translation>
    </message>
    <message>
        <source>head {head}</source>
        <translation>第 {head} 头</translation>
    </message>
    <message>
        <source>row {row}</source>
        <translation>第 {row} 行</translation>
    </message>
    <message>
        <source>Nothing remains: with this repair the step agrees; its largest logit difference is {after}, the tolerance {tolerance}.</source>
        <translation>没有剩余：做了这一修复，该步一致；最大 logit 差异为 {after}，容差为 {tolerance}。</translation>
    </message>
    <message>
        <source>With this repair the step still differs by {after}.</source>
        <translation>做了这一修复，该步仍相差 {after}。</translation>
    </message>
    <message>
        <source>With this repair the step still differs by {after}; no other cause was found.</source>
        <translation>做了这一修复，该步仍相差 {after}；没有找到别的原因。</translation>
    </message>
    <message>
        <source>With this repair the step still differs by {after}, {share} of {before} before.</source>
        <translation>做了这一修复，该步仍相差 {after}，是之前 {before} 的 {share}。</translation>
    </message>
    <message>
        <source>With this repair the step still differs by {after}, {share} of {before} before; no other cause was found.</source>
        <translation>做了这一修复，该步仍相差 {after}，是之前 {before} 的 {share}；没有找到别的原因。</translation>
    </message>
    <message>
        <source>the logits are the same whatever is fed, so this run proves nothing about the cache</source>
        <translation>无论送入什么，logits 都相同，因此这次运行对缓存什么也证明不了</translation>
    </message>
    <message>
        <source>Query heads read the wrong kv heads: query head {head} reads kv head {cached}, expected {oracle}.</source>
        <translation>查询头读取了错误的 KV 头：查询头 {head} 读取 KV 头 {cached}，应为 {oracle}。</translation>
    </message>
    <message>
        <source>The cached lane reads kv heads {map}; the oracle reads {wanted}.</source>
        <translation>缓存一路读取的 KV 头为 {map}；基准为 {wanted}。</translation>
    </message>
    <message>
        <source>Each head&apos;s rows agree with those of the kv head that it reads: only the order of the heads is wrong.</source>
        <translation>每个头的各行都与它所读取的 KV 头一致：错的只是头的次序。</translation>
    </message>
    <message>
        <source>Query heads are in another order than the kv heads that they read.</source>
        <translation>查询头的次序与其读取的 KV 头不符。</translation>
    </message>
    <message>
        <source>Keys and values agree; the query heads are the oracle&apos;s heads {map}.</source>
        <translation>K 与 V 一致；查询头依次是基准的第 {map} 头。</translation>
    </message>
    <message>
        <source>Of {total} wrong rows, {share} consist of whole vectors that belong to other slots, heads or layers.</source>
        <translation>{total} 个错误行中，{share} 由属于其他槽位、头或层的完整向量组成。</translation>
    </message>
    <message>
        <source>The cache&apos;s numbers are right and lie in wrong places (layers {layers}): memory is read with another shape than it was written with.</source>
        <translation>缓存中的数值正确，位置却不对（第 {layers} 层）：读取内存时所用的形状与写入时不同。</translation>
    </message>
    <message>
        <source>{zero} slots of layer {layer} hold zeros.</source>
        <translation>第 {layer} 层有 {zero} 个槽位全为零。</translation>
    </message>
    <message>
        <source>{share} of the numbers in the wrong rows are numbers of the oracle&apos;s cache, in another order.</source>
        <translation>错误行中 {share} 的数值就是基准 K、V 中的数值，只是次序不同。</translation>
    </message>
    <message>
        <source>q, k and v of these tokens differ in layer 0 already, while older rows and the mask agree: what goes into layer 0 is another.</source>
        <translation>这些词元的 q、k、v 在第 0 层就已不同，而较早的行和掩码一致：进入第 0 层的输入不同。</translation>
    </message>
    <message>
        <source>Token {token} has the k and v that its word has at position {cached}; it stands at {oracle}.</source>
        <translation>词元 {token} 的 k 和 v 与同一个词在位置 {cached} 时相同；它实际位于 {oracle}。</translation>
    </message>
    <message>
        <source>New tokens enter the first layer as if they stood elsewhere: the cached lane seems to count the tokens of every call from 0.</source>
        <translation>新词元进入第一层时仿佛位于别处：缓存一路似乎在每次调用时都从 0 开始计数。</translation>
    </message>
    <message>
        <source>New tokens enter the first layer as if they stood elsewhere: the offset of their positions seems to be wrong.</source>
        <translation>新词元进入第一层时仿佛位于别处：其位置偏移似乎有误。</translation>
    </message>
    <message>
        <source>Tokens of padded rows enter the first layer as if they stood elsewhere: left pads seem to be counted in their positions.</source>
        <translation>含填充的行，其词元进入第一层时仿佛位于别处：左侧填充似乎被计入了位置。</translation>
    </message>
    <message>
        <source>The mask is aligned at the top left: query i of the call sees keys 0 to i, wherever it stands in the text.</source>
        <translation>掩码按左上角对齐：本次调用的第 i 个查询只能看到键 0 到 i，不论它在文本中的位置。</translation>
    </message>
    <message>
        <source>Tokens see the future: the query of token {query} may attend to token {key}.</source>
        <translation>词元看到了未来：词元 {query} 的查询可以关注词元 {key}。</translation>
    </message>
    <message>
        <source>Left pads are not masked: tokens attend to the pad columns of their row.</source>
        <translation>左侧填充未被屏蔽：词元会关注本行的填充列。</translation>
    </message>
    <message>
        <source>The cached lane sees further back than the window: token {key} from token {query}, {distance} tokens away.</source>
        <translation>缓存一路看得比窗口更远：从词元 {query} 看到了词元 {key}，相距 {distance} 个词元。</translation>
    </message>
    <message>
        <source>New tokens do not see themselves: their own row is written, and the mask hides it.</source>
        <translation>新词元看不到自身：它们的行已写入，却被掩码遮住。</translation>
    </message>
    <message>
        <source>The cached lane sees less far back than the oracle: token {key} is hidden from token {query}, {distance} tokens away.</source>
        <translation>缓存一路不如基准看得远：词元 {query} 看不到词元 {key}，两者相距 {distance} 个词元。</translation>
    </message>
    <message>
        <source>The mask hides tokens that the oracle sees: token {key} from token {query}, {distance} tokens away.</source>
        <translation>掩码遮住了基准能看到的词元：词元 {query} 看不到词元 {key}，两者相距 {distance} 个词元。</translation>
    </message>
    <message>
        <source>The oracle sees {window} tokens, the query&apos;s own included.</source>
        <translation>基准能看到 {window} 个词元，包括查询自身。</translation>
    </message>
    <message>
        <source>The masks differ in one diagonal, at distance {distance}: one token too wide.</source>
        <translation>两个掩码仅在距离 {distance} 的一条对角线上不同：宽了一个词元。</translation>
    </message>
    <message>
        <source>Tokens at distances {distances} are seen: the window is not applied.</source>
        <translation>距离为 {distances} 的词元都能看到：窗口没有生效。</translation>
    </message>
    <message>
        <source>The masks differ in {extra} cells that only the cached lane sees and {hidden} that only the oracle sees.</source>
        <translation>两个掩码的差别：{extra} 格只有缓存一路可见，{hidden} 格只有基准可见。</translation>
    </message>
    <message>
        <source>Queries with nothing to attend to: tokens {tokens}.</source>
        <translation>没有任何键可关注的查询：词元 {tokens}。</translation>
    </message>
    <message>
        <source>The numbers are the oracle&apos;s bits in bfloat16, read as float16.</source>
        <translation>这些数值是基准值的 bfloat16 比特，被当作 float16 读取。</translation>
    </message>
    <message>
        <source>The numbers are the oracle&apos;s bits in float16, read as bfloat16.</source>
        <translation>这些数值是基准值的 float16 比特，被当作 bfloat16 读取。</translation>
    </message>
    <message>
        <source>All numbers are whole: codes of a quantised cache that nobody multiplied by their scale.</source>
        <translation>所有数值都是整数：这是量化缓存的编码，没有乘以缩放系数。</translation>
    </message>
    <message>
        <source>All numbers are representable in bfloat16, and the oracle&apos;s are not.</source>
        <translation>所有数值都能用 bfloat16 精确表示，而基准的不能。</translation>
    </message>
    <message>
        <source>All numbers are representable in float16, and the oracle&apos;s are not.</source>
        <translation>所有数值都能用 float16 精确表示，而基准的不能。</translation>
    </message>
    <message>
        <source>There are only {levels} different numbers among {count}: a quantised cache.</source>
        <translation>{count} 个数值中只有 {levels} 种不同取值：缓存经过了量化。</translation>
    </message>
    <message>
        <source>The oracle&apos;s logits of earlier tokens change when tokens are added, which a causal model&apos;s never do.</source>
        <translation>增加词元后，基准对先前词元的 logits 发生了变化；因果模型绝不会如此。</translation>
    </message>
    <message>
        <source>The text of {n_tokens} tokens is longer than the model&apos;s context: recomputing it is no longer the same function as going on with the cache.</source>
        <translation>文本有 {n_tokens} 个词元，超出了模型的上下文：重新计算与沿用缓存已不再是同一个函数。</translation>
    </message>
    <message>
        <source>For short texts the oracle&apos;s old rows stay when tokens are added; here they change.</source>
        <translation>对短文本，增加词元后基准的旧行保持不变；在这里却变了。</translation>
    </message>
    <message>
        <source>The oracle computed only the last {kept} of {n_tokens} tokens.</source>
        <translation>基准只计算了 {n_tokens} 个词元中的最后 {kept} 个。</translation>
    </message>
    <message>
        <source>The lane without a cache is the wrong one, so the cached lane cannot be judged by it.</source>
        <translation>出错的是不用缓存的通道，因此不能用它来判断缓存一路。</translation>
    </message>
    <message>
        <source>In the oracle, tokens see the future: its attention lacks the causal mask.</source>
        <translation>在基准中词元看到了未来：其注意力缺少因果掩码。</translation>
    </message>
    <message>
        <source>The cached lane counts the tokens of every call from 0: token {token} is told position {cached}, expected {oracle}.</source>
        <translation>缓存一路在每次调用时都从 0 开始计数：词元 {token} 被告知位置 {cached}，应为 {oracle}。</translation>
    </message>
    <message>
        <source>Left pads are counted in the positions of padded rows: token {token} is told position {cached}, expected {oracle}.</source>
        <translation>含填充的行把左侧填充计入了位置：词元 {token} 被告知位置 {cached}，应为 {oracle}。</translation>
    </message>
    <message>
        <source>The offset of new tokens is wrong: token {token} is told position {cached}, expected {oracle}.</source>
        <translation>新词元的位置偏移有误：词元 {token} 被告知位置 {cached}，应为 {oracle}。</translation>
    </message>
    <message>
        <source>All wrong positions are off by {gap}.</source>
        <translation>所有错误的位置都偏移 {gap}。</translation>
    </message>
    <message>
        <source>That is the length of the first call, {n_tokens}, less one: the offset was advanced by it twice.</source>
        <translation>这正是首次调用的长度 {n_tokens} 减一：偏移按它推进了两次。</translation>
    </message>
    <message>
        <source>The step before was told position {position} as well: the counter stands still.</source>
        <translation>上一步被告知的也是位置 {position}：计数器停住了。</translation>
    </message>
    <message>
        <source>The gap of each row is its number of pads; rows without pads are right.</source>
        <translation>每行的偏差等于其填充数；没有填充的行正确。</translation>
    </message>
    <message>
        <source>Position ids of this step: {oracle} in the oracle, {cached} in the cached lane.</source>
        <translation>本步的位置编号：基准为 {oracle}，缓存一路为 {cached}。</translation>
    </message>
    <message>
        <source>The rotation does not follow the position: token {token} stands at {oracle} and is rotated as {cached}.</source>
        <translation>旋转与位置不符：词元 {token} 位于 {oracle}，却按 {cached} 旋转。</translation>
    </message>
    <message>
        <source>The rotation does not follow the position: token {token} is told {told} and is rotated as {cached}.</source>
        <translation>旋转与位置不符：词元 {token} 被告知 {told}，却按 {cached} 旋转。</translation>
    </message>
    <message>
        <source>The cached lane counts the tokens of every call from 0: token {token} is rotated as position {cached}, expected {oracle}.</source>
        <translation>缓存一路在每次调用时都从 0 开始计数：词元 {token} 按位置 {cached} 旋转，应为 {oracle}。</translation>
    </message>
    <message>
        <source>Left pads are counted in the positions of padded rows: token {token} is rotated as position {cached}, expected {oracle}.</source>
        <translation>含填充的行把左侧填充计入了位置：词元 {token} 按位置 {cached} 旋转，应为 {oracle}。</translation>
    </message>
    <message>
        <source>The offset of new tokens is wrong: token {token} is rotated as position {cached}, expected {oracle}.</source>
        <translation>新词元的位置偏移有误：词元 {token} 按位置 {cached} 旋转，应为 {oracle}。</translation>
    </message>
    <message>
        <source>Keys are cached before they are rotated, and read as they are: all are rotated as position 0.</source>
        <translation>键在旋转之前就被写入缓存，读取时也未旋转：全部相当于位置 0。</translation>
    </message>
    <message>
        <source>Cached keys are rotated twice: that of token {token} is turned as position {cached}, expected {oracle}.</source>
        <translation>缓存的键旋转了两次：词元 {token} 的键相当于位置 {cached}，应为 {oracle}。</translation>
    </message>
    <message>
        <source>The keys of this piece of text are rotated as if it stood alone: that of token {token} as position {cached}, expected {oracle}.</source>
        <translation>这段文本的键按独立文本旋转：词元 {token} 的键相当于位置 {cached}，应为 {oracle}。</translation>
    </message>
    <message>
        <source>Cached keys are not rotated as they were written: that of token {token} is turned as position {cached}, expected {oracle}.</source>
        <translation>缓存的键的旋转与写入时不同：词元 {token} 的键相当于位置 {cached}，应为 {oracle}。</translation>
    </message>
    <message>
        <source>Queries and keys are not rotated alike: of token {token}, at position {oracle}, q is rotated as {q} and k as {k}.</source>
        <translation>查询与键的旋转不一致：位于 {oracle} 的词元 {token}，q 按 {q} 旋转，k 按 {k} 旋转。</translation>
    </message>
    <message>
        <source>Values agree; solved from layer {layer}, queries are turned by {q} positions too far, new keys by {new}, older keys by {old}.</source>
        <translation>V 一致；由第 {layer} 层解出：查询多转了 {q} 个位置，新键 {new}，旧键 {old}。</translation>
    </message>
    <message>
        <source>Unused slots behind the text take part in attention: {count} slots ({slots}) that hold no token.</source>
        <translation>文本之后未使用的槽位参与了注意力：{count} 个槽位（{slots}）不含任何词元。</translation>
    </message>
    <message>
        <source>Tokens were fed twice: {count} rows (slots {slots}) belong to tokens that the cache already holds.</source>
        <translation>词元被重复输入：{count} 行（槽位 {slots}）属于缓存中已有的词元。</translation>
    </message>
    <message>
        <source>Layers share one cache: {count} rows too many (slots {slots}) are those of another layer.</source>
        <translation>各层共用一个缓存：多出的 {count} 行（槽位 {slots}）属于另一层。</translation>
    </message>
    <message>
        <source>The cache still holds rows of the run before: {count} rows (slots {slots}).</source>
        <translation>缓存中仍有上一次运行的行：{count} 行（槽位 {slots}）。</translation>
    </message>
    <message>
        <source>The cache holds rows of another run that is alive at the same time: {count} rows (slots {slots}).</source>
        <translation>缓存中有同时进行的另一次运行的行：{count} 行（槽位 {slots}）。</translation>
    </message>
    <message>
        <source>Rows of rejected draft tokens are still in the cache: {count} rows (slots {slots}).</source>
        <translation>被拒绝的草稿词元的行仍在缓存中：{count} 行（槽位 {slots}）。</translation>
    </message>
    <message>
        <source>The cache holds {count} rows (slots {slots}) that no token of this text explains: they were left over.</source>
        <translation>缓存中有 {count} 行（槽位 {slots}）与本文本的任何词元都不符：它们是遗留下来的。</translation>
    </message>
    <message>
        <source>Layer {layer} attends to {n_rows} rows; the text has {n_tokens} tokens.</source>
        <translation>第 {layer} 层关注 {n_rows} 行；文本有 {n_tokens} 个词元。</translation>
    </message>
    <message>
        <source>Only layers {layers} have rows too many.</source>
        <translation>只有第 {layers} 层有多余的行。</translation>
    </message>
    <message>
        <source>Slot {slot} equals the row of token {token}, which another slot holds as well.</source>
        <translation>槽位 {slot} 等于词元 {token} 的行，而另一个槽位也存有它。</translation>
    </message>
    <message>
        <source>{written} of them were written in this step, in which {q_len} tokens were fed.</source>
        <translation>其中 {written} 行是在本步写入的，而本步只输入了 {q_len} 个词元。</translation>
    </message>
    <message>
        <source>Up to {share} of a head&apos;s attention goes to them.</source>
        <translation>某个头最多有 {share} 的注意力落在它们上面。</translation>
    </message>
    <message>
        <source>Unused slots hold numbers that are not finite, and reach the output although their weight is 0: 0 * NaN is NaN.</source>
        <translation>未使用的槽位含有非有限数值，权重虽为 0 仍影响输出：0 * NaN 等于 NaN。</translation>
    </message>
    <message>
        <source>Layer {layer}, slots {slots}: not finite, and outside the text.</source>
        <translation>第 {layer} 层，槽位 {slots}：数值非有限，且在文本之外。</translation>
    </message>
    <message>
        <source>The cached lane keeps fewer rows than the window: token {token}, the oldest that the oracle sees, is gone.</source>
        <translation>缓存一路保留的行少于窗口：基准能看到的最早词元 {token} 已不在。</translation>
    </message>
    <message>
        <source>New tokens are not among the rows that attention reads: no slot holds token {tokens}.</source>
        <translation>注意力读取的行中没有新词元：没有槽位存放词元 {tokens}。</translation>
    </message>
    <message>
        <source>Rows were evicted that are still to be seen: no slot holds token {tokens}.</source>
        <translation>仍需可见的行被逐出：没有槽位存放词元 {tokens}。</translation>
    </message>
    <message>
        <source>A new row was written over the one before it: no slot holds token {tokens}.</source>
        <translation>新的一行覆盖了它前面的那一行：没有槽位存放词元 {tokens}。</translation>
    </message>
    <message>
        <source>Rows were overwritten or never kept: no slot holds token {tokens}.</source>
        <translation>有行被覆盖或从未保留：没有槽位存放词元 {tokens}。</translation>
    </message>
    <message>
        <source>Layer {layer} holds {n_rows} of {n_tokens} tokens.</source>
        <translation>第 {layer} 层存有 {n_tokens} 个词元中的 {n_rows} 个。</translation>
    </message>
    <message>
        <source>Token {token} was written to slot {slot}.</source>
        <translation>词元 {token} 写入了槽位 {slot}。</translation>
    </message>
    <message>
        <source>The row of token {tokens} holds zeros: it was never written, or wiped.</source>
        <translation>词元 {tokens} 的行全为零：从未写入，或被清除。</translation>
    </message>
    <message>
        <source>The row of token {tokens} holds numbers that are not finite.</source>
        <translation>词元 {tokens} 的行含有非有限数值。</translation>
    </message>
    <message>
        <source>Layers {layers} hold such rows at places that queries see.</source>
        <translation>第 {layers} 层在查询可见之处有这样的行。</translation>
    </message>
    <message>
        <source>Keys agree; the queries are the oracle&apos;s times that factor.</source>
        <translation>键一致；查询等于基准的查询乘以该倍数。</translation>
    </message>
    <message>
        <source>The scores q k are multiplied by {factor} times the oracle&apos;s factor.</source>
        <translation>分数 q k 所乘的系数是基准的 {factor} 倍。</translation>
    </message>
    <message>
        <source>q, k and the mask agree; the scores are in proportion.</source>
        <translation>q、k 与掩码一致；分数成比例。</translation>
    </message>
    <message>
        <source>{root} is the square root of the head size {head_dim}: it was not divided by.</source>
        <translation>{root} 是头维度 {head_dim} 的平方根：没有除以它。</translation>
    </message>
    <message>
        <source>{root} is the square root of the head size {head_dim}: it was divided by twice.</source>
        <translation>{root} 是头维度 {head_dim} 的平方根：除了两次。</translation>
    </message>
    <message>
        <source>What is added to q k (the position bias) is not that of this query&apos;s row.</source>
        <translation>加到 q k 上的位置偏置不是该查询所在行的。</translation>
    </message>
    <message>
        <source>q, k and the mask agree; the scores do not, and no factor explains it.</source>
        <translation>q、k 与掩码一致，分数却不同，且无法用一个系数解释。</translation>
    </message>
    <message>
        <source>In the cached lane nothing is added at all.</source>
        <translation>缓存一路根本没有加上任何偏置。</translation>
    </message>
    <message>
        <source>It is the bias of query position {row}, where {token} is meant.</source>
        <translation>用的是查询位置 {row} 的偏置，应为 {token}。</translation>
    </message>
    <message>
        <source>Layers share one cache: the slots of layer {layer} hold the rows of layer {other}.</source>
        <translation>多个层共用一个缓存：第 {layer} 层的槽位存的是第 {other} 层的行。</translation>
    </message>
    <message>
        <source>Layers {layers} lie in the same memory.</source>
        <translation>第 {layers} 层位于同一块内存。</translation>
    </message>
    <message>
        <source>Rows of the batch are mixed up: batch row {row} holds what belongs to row {other}.</source>
        <translation>批次中的行混在一起：批次行 {row} 存的是行 {other} 的内容。</translation>
    </message>
    <message>
        <source>The rows of the batch attend one after the other.</source>
        <translation>批次中的各行逐行计算注意力。</translation>
    </message>
    <message>
        <source>Query heads read the wrong kv heads: attention call {layer} reads the rows that call {other} should read.</source>
        <translation>查询头读取了错误的 KV 头：注意力调用 {layer} 读取的是调用 {other} 应读取的行。</translation>
    </message>
    <message>
        <source>Attention is called head by head, and several heads share keys.</source>
        <translation>注意力逐头调用，且多个头共用同一组键。</translation>
    </message>
    <message>
        <source>The cache was not reordered with the beams: batch row {row} still holds its own history, expected that of row {wanted}.</source>
        <translation>缓存没有随束重排：批次行 {row} 仍是自己的历史，应为行 {wanted} 的。</translation>
    </message>
    <message>
        <source>Keys were reordered with the beams and values were not: batch row {row} still holds its own values, expected those of row {wanted}.</source>
        <translation>键随束重排了，值却没有：批次行 {row} 仍是自己的值，应为行 {wanted} 的。</translation>
    </message>
    <message>
        <source>Values were reordered with the beams and keys were not: batch row {row} still holds its own keys, expected those of row {wanted}.</source>
        <translation>值随束重排了，键却没有：批次行 {row} 仍是自己的键，应为行 {wanted} 的。</translation>
    </message>
    <message>
        <source>Two runs share one cache: the slots of tokens {tokens} hold rows of the other run.</source>
        <translation>两次运行共用一个缓存：词元 {tokens} 的槽位存的是另一次运行的行。</translation>
    </message>
    <message>
        <source>The slots of tokens {tokens} still hold rows of the run before.</source>
        <translation>词元 {tokens} 的槽位仍是上一次运行的行。</translation>
    </message>
    <message>
        <source>The slots of tokens {tokens} still hold rows of rejected draft tokens.</source>
        <translation>词元 {tokens} 的槽位仍是被拒绝的草稿词元的行。</translation>
    </message>
    <message>
        <source>{found} of {wrong} wrong rows ({share}) were found there, in layers {layers}.</source>
        <translation>{wrong} 个错误行中有 {found} 个（{share}）在那里找到，位于第 {layers} 层。</translation>
    </message>
    <message>
        <source>The state of a layer without keys and values is not what the oracle has: the lanes part in module {module}.</source>
        <translation>某个没有 K、V 的层，其状态与基准不同：两路从模块 {module} 开始分叉。</translation>
    </message>
    <message>
        <source>No attention call shows the difference first; what is carried from call to call there is no row of a cache.</source>
        <translation>差异并非首先出现在任何注意力调用中；那里在调用之间传递的不是缓存的行。</translation>
    </message>
    <message>
        <source>The cause is unknown; the lanes part in layer {layer}, {tensor}, token {slot} of batch row {row}.</source>
        <translation>原因未知；两路从第 {layer} 层的 {tensor}、批次行 {row} 的词元 {slot} 开始分叉。</translation>
    </message>
    <message>
        <source>The cause is unknown; the attention calls of the two lanes cannot be set side by side, and the lanes part in the output of module {module}.</source>
        <translation>原因未知；两路的注意力调用无法一一对应，两路从模块 {module} 的输出开始分叉。</translation>
    </message>
    <message>
        <source>The cause is unknown; every attention call agrees, and the lanes part in the output of module {module}.</source>
        <translation>原因未知；所有注意力调用都一致，两路从模块 {module} 的输出开始分叉。</translation>
    </message>
    <message>
        <source>The cause is unknown; every attention call agrees, so the lanes part outside of attention.</source>
        <translation>原因未知；所有注意力调用都一致，因此分叉发生在注意力之外。</translation>
    </message>
    <message>
        <source>The cause is unknown; the attention calls of the two lanes cannot be set side by side, so only the logits tell that they part.</source>
        <translation>原因未知；两路的注意力调用无法一一对应，只能从 logits 看出它们不同。</translation>
    </message>
    <message>
        <source>Values were filled from the keys: V equals K in the slots of tokens {tokens}.</source>
        <translation>值取自键：在词元 {tokens} 的槽位中 V 等于 K。</translation>
    </message>
    <message>
        <source>From layer {layer} on, K agrees with the oracle and V is the same numbers as K.</source>
        <translation>从第 {layer} 层起，K 与基准一致，而 V 与 K 的数值相同。</translation>
    </message>
    <message>
        <source>The cached rows of {tensors} are the oracle&apos;s times {factors}: a scale is missing or wrong.</source>
        <translation>缓存中 {tensors} 的行是基准值的 {factors} 倍：缺少缩放系数或系数有误。</translation>
    </message>
    <message>
        <source>One factor for all rows explains them but for {rest} of their norm.</source>
        <translation>所有行用同一个系数即可解释，剩余部分仅为其范数的 {rest}。</translation>
    </message>
    <message>
        <source>Rows lose accuracy on their way through the cache: {tensor} comes back with a relative error of {error}.</source>
        <translation>行经过缓存后损失了精度：{tensor} 读回时的相对误差为 {error}。</translation>
    </message>
    <message>
        <source>In layer {layer} the queries agree, so the rows had the right input when they were written.</source>
        <translation>第 {layer} 层的查询一致，可见这些行写入时的输入是正确的。</translation>
    </message>
    <message>
        <source>tie: the difference of {diff} at step {step} falls to {stable} where each top-k takes the first of equal values; by length it takes another, in the oracle too</source>
        <translation>平局：若每个 top-k 都取相等值中的第一个，第 {step} 步的差异 {diff} 会下降到 {stable}；否则它随长度取不同的值，基准也是如此</translation>
    </message>
    <message>
        <source>rounding: the difference of {diff} at step {step} is of the size of the oracle&apos;s own, {noise}; it could not be run wider: {reason}</source>
        <translation>舍入误差：第 {step} 步的差异 {diff} 与基准自身的波动 {noise} 相当；无法用更宽的精度重新运行：{reason}</translation>
    </message>
    <message>
        <source>rounding: the difference of {diff} at step {step} is of the size of the oracle&apos;s own, {noise}, so something in the model computes in less than {narrow}</source>
        <translation>舍入误差：第 {step} 步的差异 {diff} 与基准自身的波动 {noise} 相当，说明模型内部有部分计算的精度低于 {narrow}</translation>
    </message>
    <message>
        <source>rounding: the difference of {diff} at step {step} falls to {wide} in {dtype}; rounding moves the oracle itself by {noise}</source>
        <translation>舍入误差：第 {step} 步的差异 {diff} 在 {dtype} 下降到 {wide}；舍入使基准自身变动 {noise}</translation>
    </message>
    <message>
        <source>rounding or a defect? The difference of {diff} at step {step} could not be run wider: {reason}. The tolerance decides</source>
        <translation>舍入还是缺陷？第 {step} 步的差异 {diff} 无法用更宽的精度重新运行：{reason}。由容差判定</translation>
    </message>
    <message>
        <source>defect: the difference of {diff} at step {step} is {times} times what rounding does to the oracle, {noise}</source>
        <translation>缺陷：第 {step} 步的差异 {diff} 是舍入对基准影响（{noise}）的 {times} 倍</translation>
    </message>
    <message>
        <source>not excused: the difference of {diff} at step {step} falls to {wide} in {dtype}, but it is {times} times what rounding does to the oracle, {noise}: it is there in {narrow} only</source>
        <translation>不予放过：第 {step} 步的差异 {diff} 在 {dtype} 下降到 {wide}，但它是舍入对基准影响（{noise}）的 {times} 倍：它只在 {narrow} 下存在</translation>
    </message>
    <message>
        <source>defect: the difference of {diff} at step {step} stays in {dtype}, where it is {wide}; rounding moves the oracle itself by {noise}</source>
        <translation>缺陷：第 {step} 步的差异 {diff} 在 {dtype} 下依然存在，为 {wide}；舍入使基准自身变动 {noise}</translation>
    </message>
    <message>
        <source>rounding or a defect? The difference of {diff} at step {step} is {wide} in {dtype}, where the oracle itself still moves by {wide_noise} (in {narrow} by {noise}). The tolerance decides</source>
        <translation>舍入还是缺陷？第 {step} 步的差异 {diff} 在 {dtype} 下为 {wide}，而基准自身在其中仍变动 {wide_noise}（在 {narrow} 下为 {noise}）。由容差判定</translation>
    </message>
    <message>
        <source>the run in {dtype} was not wider as a whole: {kinds} stayed in {narrow}</source>
        <translation>{dtype} 下的运行并非整体都更宽：{kinds} 仍为 {narrow}</translation>
    </message>
    <message>
        <source>judged in {dtype}, where the largest difference is {largest}</source>
        <translation>以 {dtype} 判定，其中最大差异为 {largest}</translation>
    </message>
    <message>
        <source>tie: the argmax differs at step {step} under a margin of {margin}, smaller than the rounding: it moves logits by {diff}</source>
        <translation>平局：第 {step} 步的 argmax 不同，但首选与次选只差 {margin}，小于舍入：舍入使 logits 变动 {diff}</translation>
    </message>
    <message>
        <source>harmless-shift: q and k differ between the lanes in layer {layer}, by {q} and {k} of their size, and the logits agree</source>
        <translation>无害平移：第 {layer} 层的 q 和 k 在两条通道间不同，分别为其幅度的 {q} 和 {k}，而 logits 一致</translation>
    </message>
    <message>
        <source>Cached rows changed after they were written: {tensor} of slots {slots} in layer {layer}.</source>
        <translation>缓存的行在写入后被改动：第 {layer} 层槽位 {slots} 的 {tensor}。</translation>
    </message>
    <message>
        <source>Layer {layer} holds {n_rows} rows, and {n_tokens} tokens were fed.</source>
        <translation>第 {layer} 层存有 {n_rows} 行，而输入了 {n_tokens} 个词元。</translation>
    </message>
    <message>
        <source>Slots {slots} in layer {layer} hold zeros, and queries attend to them.</source>
        <translation>第 {layer} 层的槽位 {slots} 全为零，而查询会关注它们。</translation>
    </message>
    <message>
        <source>Slots {slots} in layer {layer} hold numbers that are not finite, and queries attend to them.</source>
        <translation>第 {layer} 层的槽位 {slots} 含有非有限数值，而查询会关注它们。</translation>
    </message>
    <message>
        <source>In layer {layer} the queries of tokens {tokens} have nothing to attend to.</source>
        <translation>在第 {layer} 层，词元 {tokens} 的查询没有任何键可关注。</translation>
    </message>
    <message>
        <source>Layers {other} and {layer} lie in the same memory and hold the same rows.</source>
        <translation>第 {other} 层与第 {layer} 层位于同一块内存，且存有相同的行。</translation>
    </message>
    <message>
        <source>Positions do not go on from the history: batch row {row} is told {ids} after {last}.</source>
        <translation>位置没有接着历史继续：批次行 {row} 在 {last} 之后被告知 {ids}。</translation>
    </message>
    <message>
        <source>Introduced in layer {layer}, {tensor}: all that it is made of agrees there; differences after it are inherited.</source>
        <translation>差异在第 {layer} 层的 {tensor} 处引入：其输入在此处都一致，之后的差异由此传播而来。</translation>
    </message>
    <message>
        <source>future visible</source>
        <translation>看到了未来</translation>
    </message>
    <message>
        <source>pads visible</source>
        <translation>看到了填充</translation>
    </message>
    <message>
        <source>window edge</source>
        <translation>窗口边缘</translation>
    </message>
    <message>
        <source>older than the window visible</source>
        <translation>看到了窗口之前</translation>
    </message>
    <message>
        <source>past hidden</source>
        <translation>过去被遮住</translation>
    </message>
    <message>
        <source>tail visible</source>
        <translation>看到了尾部</translation>
    </message>
    <message>
        <source>rows too many visible</source>
        <translation>看到了多余的行</translation>
    </message>
    <message>
        <source>logical block {logical}, physical block {physical}, row {place} of it</source>
        <translation>逻辑块 {logical}，物理块 {physical}，块内第 {place} 行</translation>
    </message>
    <message>
        <source>blocks of {n} rows, logical → physical</source>
        <translation>每块 {n} 行，逻辑 → 物理</translation>
    </message>
    <message>
        <source>ring of {size}, the next token is written to {place}</source>
        <translation>环长 {size}，下一个词元写入 {place}</translation>
    </message>
    <message>
        <source>in the ring at {place}</source>
        <translation>位于环中 {place}</translation>
    </message>
    <message>
        <source>written in step {step} (prefill)</source>
        <translation>第 {step} 步写入（预填充）</translation>
    </message>
    <message>
        <source>written in step {step} (decode)</source>
        <translation>第 {step} 步写入（解码）</translation>
    </message>
    <message>
        <source>written in step {step} (chunk)</source>
        <translation>第 {step} 步写入（分块）</translation>
    </message>
    <message>
        <source>written in step {step} (turn)</source>
        <translation>第 {step} 步写入（新一轮）</translation>
    </message>
    <message>
        <source>written in step {step} (draft)</source>
        <translation>第 {step} 步写入（草稿）</translation>
    </message>
    <message>
        <source>layer {layer}, slot {slot}</source>
        <translation>第 {layer} 层，槽位 {slot}</translation>
    </message>
    <message>
        <source>moved by the reorder before step {step}, from row {origin}</source>
        <translation>第 {step} 步之前的重排把它从第 {origin} 行移来</translation>
    </message>
    <message>
        <source>moved on with the window, from slot {origin}, up to step {step}</source>
        <translation>随窗口移动，来自槽位 {origin}，直到第 {step} 步</translation>
    </message>
    <message>
        <source>never changed since</source>
        <translation>此后从未改变</translation>
    </message>
    <message>
        <source>changed in step {step}</source>
        <translation>第 {step} 步改变</translation>
    </message>
    <message>
        <source>changed in each of the steps {first} to {last}</source>
        <translation>第 {first} 至 {last} 步每步都改变</translation>
    </message>
    <message>
        <source>in place</source>
        <translation>就位</translation>
    </message>
    <message>
        <source>pad</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>空</translation>
    </message>
    <message>
        <source>different</source>
        <translation>不同</translation>
    </message>
    <message>
        <source>degraded</source>
        <translation>失真</translation>
    </message>
    <message>
        <source>zero</source>
        <translation>零</translation>
    </message>
    <message>
        <source>PASS</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>FAIL</source>
        <translation>未通过</translation>
    </message>
    <message>
        <source>{n_steps} steps compared in {n} scenarios, {n_skipped} skipped.</source>
        <translation>共在 {n} 个场景中比较了 {n_steps} 步，跳过 {n_skipped} 个场景。</translation>
    </message>
    <message>
        <source>Planted for a trial: {faults}.</source>
        <translation>为试验而植入：{faults}。</translation>
    </message>
    <message>
        <source>Cached and uncached decoding agree; the largest logit difference is {largest}.</source>
        <translation>带缓存与不带缓存的解码一致；最大 logit 差为 {largest}。</translation>
    </message>
    <message>
        <source>Cached decoding diverges from step {step} of {scenario} on; {n} of {n_ran} scenarios diverge.</source>
        <translation>带缓存的解码从场景 {scenario} 的第 {step} 步起出现偏离；{n_ran} 个场景中有 {n} 个偏离。</translation>
    </message>
    <message>
        <source>Nothing was compared.</source>
        <translation>没有比较任何内容。</translation>
    </message>
    <message>
        <source>Scenario {scenario}</source>
        <translation>场景 {scenario}</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>In the code:</source>
        <translation>代码中：</translation>
    </message>
    <message>
        <source>Inferred from the recorded numbers; no repair was tried.</source>
        <translation>由记录的数值推断；没有尝试修复。</translation>
    </message>
    <message>
        <source>Repair: with the oracle&apos;s tensor in its place {healed} of the difference heals.</source>
        <translation>修复：换成基准的张量后，差异的 {healed} 消失。</translation>
    </message>
    <message>
        <source>An equally large repair elsewhere heals {share}.</source>
        <translation>在别处做同样大小的修复只消除 {share}。</translation>
    </message>
    <message>
        <source>The repair cannot tell it from {causes}.</source>
        <translation>该修复无法将它与 {causes} 区分开。</translation>
    </message>
    <message>
        <source>scenario</source>
        <translation>场景</translation>
    </message>
    <message>
        <source>result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>compared</source>
        <translation>已比较</translation>
    </message>
    <message>
        <source>largest difference</source>
        <translation>最大差值</translation>
    </message>
    <message>
        <source>first bad step</source>
        <translation>首个异常步</translation>
    </message>
    <message>
        <source>cause, or where it begins</source>
        <translation>原因，或起始位置</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>出错</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>跳过</translation>
    </message>
    <message>
        <source>Scenarios</source>
        <translation>场景</translation>
    </message>
    <message>
        <source>pass</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>fail</source>
        <translation>未通过</translation>
    </message>
    <message>
        <source>Cache shape and append dim</source>
        <translation>缓存形状与追加维度</translation>
    </message>
    <message>
        <source>Position handling</source>
        <translation>位置处理</translation>
    </message>
    <message>
        <source>Correctness comparison</source>
        <translation>正确性比较</translation>
    </message>
    <message>
        <source>Time and memory</source>
        <translation>时间与内存</translation>
    </message>
    <message>
        <source>One failure boundary</source>
        <translation>一个失效边界</translation>
    </message>
    <message>
        <source>After the prefill of {n} tokens K and V are {shape} in {layers} layers; kv_len is {lengths}.</source>
        <translation>预填充 {n} 个词元之后，{layers} 层的 K 和 V 均为 {shape}；kv_len 为 {lengths}。</translation>
    </message>
    <message>
        <source>Rows are appended in dim {dim} (kv_len); a step adds {grew}, {expected} were fed.</source>
        <translation>新行追加在第 {dim} 维（kv_len）；每步增加 {grew} 行，送入 {expected} 个词元。</translation>
    </message>
    <message>
        <source>After the last step, {step}, they are {shape}.</source>
        <translation>最后一步（第 {step} 步）之后为 {shape}。</translation>
    </message>
    <message>
        <source>Step {step}, {n} tokens: the oracle was told {oracle}, the cached lane {cached}.</source>
        <translation>第 {step} 步，{n} 个词元：基准得到的位置为 {oracle}，缓存一路为 {cached}。</translation>
    </message>
    <message>
        <source>{scenario}: nothing was compared.</source>
        <translation>{scenario}：没有进行任何比较。</translation>
    </message>
    <message>
        <source>{scenario}: {n} steps compared, largest logit difference {largest}, tolerance {tolerance}; argmax agrees in {agree} of {n}, {bad} steps are over the tolerance.</source>
        <translation>{scenario}：比较了 {n} 步，最大 logit 差 {largest}，容差 {tolerance}；{n} 步中有 {agree} 步 argmax 一致，{bad} 步超出容差。</translation>
    </message>
    <message>
        <source>not finite</source>
        <translation>非有限</translation>
    </message>
    <message>
        <source>{n} of the generated tokens belong to amounts, dates, addresses or ids; {changed} of them change, their smallest margin is {margin}.</source>
        <translation>生成的词元中有 {n} 个属于金额、日期、地址或编号；其中 {changed} 个发生变化，最小间隔为 {margin}。</translation>
    </message>
    <message>
        <source>{n} prompt tokens, {steps} decode steps: the oracle was fed {oracle} tokens in all, the cached lane {cached}.</source>
        <translation>提示有 {n} 个词元，解码 {steps} 步：基准共输入了 {oracle} 个词元，缓存一路 {cached} 个。</translation>
    </message>
    <message>
        <source>They wrote “{text}”.</source>
        <translation>写出的文本：“{text}”。</translation>
    </message>
    <message>
        <source>Step 1: the oracle computed K and V of {n} tokens in each of {layers} layers, the cached lane of {new}.</source>
        <translation>第 1 步：在 {layers} 层的每一层里，基准计算了 {n} 个词元的 K 和 V，缓存一路只计算了 {new} 个。</translation>
    </message>
    <message>
        <source>All rows agree: K differs by at most {dk}, V by {dv}.</source>
        <translation>所有行一致：K 至多相差 {dk}，V 至多相差 {dv}。</translation>
    </message>
    <message>
        <source>The rows differ: K by up to {dk}, V by up to {dv}.</source>
        <translation>行不一致：K 最多相差 {dk}，V 最多相差 {dv}。</translation>
    </message>
    <message>
        <source>K and V are {shape}; dim {dim} grew by {grew} in every decode step.</source>
        <translation>K 与 V 的形状为 {shape}；每个解码步第 {dim} 维增长 {grew}。</translation>
    </message>
    <message>
        <source>Tokens in the prompt: {n}; kv_len in layers 0 to {last}: {lengths}.</source>
        <translation>提示的词元数：{n}；第 0 至 {last} 层的 kv_len：{lengths}。</translation>
    </message>
    <message>
        <source>Without the fault: the token in slot {slot} is told position {cached} in both lanes; the largest logit difference is {diff}.</source>
        <translation>没有故障时：两路告诉槽位 {slot} 的词元的位置都是 {cached}；logits 最大相差 {diff}。</translation>
    </message>
    <message>
        <source>With the fault: the token in slot {slot} is told position {cached}, the oracle is told {oracle}.</source>
        <translation>有故障时：槽位 {slot} 的词元被告知位置 {cached}，而基准被告知 {oracle}。</translation>
    </message>
    <message>
        <source>No error: all {n} steps ran, and K and V are {shape} in both lanes of step {step}.</source>
        <translation>没有报错：{n} 步全部运行，第 {step} 步两路的 K 与 V 形状都是 {shape}。</translation>
    </message>
    <message>
        <source>The logits differ by {diff} in step {step}; the tolerance is {tolerance}.</source>
        <translation>第 {step} 步 logits 相差 {diff}；容差为 {tolerance}。</translation>
    </message>
    <message>
        <source>Found as {cause}: its repair heals {share} of the difference.</source>
        <translation>诊断为 {cause}：修复后差异消除 {share}。</translation>
    </message>
    <message>
        <source>With the position fault: {bad} of {n} steps are over the tolerance; the argmax still agrees in {agree}.</source>
        <translation>有位置故障时：{n} 步中有 {bad} 步超出容差；argmax 仍有 {agree} 步一致。</translation>
    </message>
    <message>
        <source>{n} of {planned} steps compared: the largest logit difference is {diff}, in step {step}; the tolerance is {tolerance}.</source>
        <translation>比较了 {planned} 步中的 {n} 步：logits 最大相差 {diff}，在第 {step} 步；容差为 {tolerance}。</translation>
    </message>
    <message>
        <source>The argmax agrees in {agree} of {n} steps.</source>
        <translation>{n} 步中有 {agree} 步 argmax 一致。</translation>
    </message>
    <message>
        <source>The smallest margin is {margin}, in step {step}.</source>
        <translation>最小间隔为 {margin}，在第 {step} 步。</translation>
    </message>
    <message>
        <source>{machine}, {threads} threads, {dtype}.</source>
        <translation>{machine}，{threads} 个线程，{dtype}。</translation>
    </message>
    <message>
        <source>{layout}, length {length}: a cached step takes {cached} ms, the oracle {oracle} ms: {ratio} times as long.</source>
        <translation>{layout}，长度 {length}：缓存一步 {cached} 毫秒，基准 {oracle} 毫秒，是前者的 {ratio} 倍。</translation>
    </message>
    <message>
        <source>The cached step grows as length to the {cached}, the oracle&apos;s as length to the {oracle}.</source>
        <translation>缓存一步的时间按长度的 {cached} 次方增长，基准按 {oracle} 次方增长。</translation>
    </message>
    <message>
        <source>The cache takes {first} at length {short} and {last} at length {long}.</source>
        <translation>长度 {short} 时缓存占用 {first}，长度 {long} 时占用 {last}。</translation>
    </message>
    <message>
        <source>{layout}: caching does not pay at length {lengths}.</source>
        <translation>{layout}：长度为 {lengths} 时缓存不划算。</translation>
    </message>
    <message>
        <source>Caching pays at every length and layout that was measured.</source>
        <translation>在测量过的每种长度和布局下，缓存都划算。</translation>
    </message>
    <message>
        <source>{layout}, batch {batch}, length {length}: a cached step takes {cached} ms, the oracle {oracle} ms, {ratio} times as long; the cache holds {size}.</source>
        <translation>{layout}，批大小 {batch}，长度 {length}：缓存一路每步 {cached} 毫秒，基准 {oracle} 毫秒，为其 {ratio} 倍；缓存占 {size}。</translation>
    </message>
    <message>
        <source>Caching does not pay at length {lengths}.</source>
        <translation>长度为 {lengths} 时缓存并不划算。</translation>
    </message>
    <message>
        <source>{what}, {layout}, batch {batch}: grows as length to the {order}.</source>
        <translation>{what}，{layout}，批大小 {batch}：按长度的 {order} 次方增长。</translation>
    </message>
    <message>
        <source>{scenario} fails from step {step} on, at {n} tokens; step {good} was still right.</source>
        <translation>{scenario} 从第 {step} 步起失效，此时有 {n} 个词元；第 {good} 步仍然正确。</translation>
    </message>
    <message>
        <source>{scenario} fails from step {step} on, at {n} tokens.</source>
        <translation>{scenario} 从第 {step} 步起失效，此时有 {n} 个词元。</translation>
    </message>
    <message>
        <source>No step failed; the longest text that was compared has {n} tokens ({scenario}).</source>
        <translation>没有一步失效；比较过的最长文本有 {n} 个词元（{scenario}）。</translation>
    </message>
    <message>
        <source>The model&apos;s context ends at {n} tokens.</source>
        <translation>模型的上下文上限为 {n} 个词元。</translation>
    </message>
    <message>
        <source>target</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>layout</source>
        <translation>布局</translation>
    </message>
    <message>
        <source>its own cache</source>
        <translation>自带缓存</translation>
    </message>
    <message>
        <source>tolerance</source>
        <translation>容差</translation>
    </message>
    <message>
        <source>mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>prompt ids</source>
        <translation>提示词 id</translation>
    </message>
    <message>
        <source>To run it again</source>
        <translation>重新运行</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Versions and machine</source>
        <translation>版本与机器</translation>
    </message>
    <message>
        <source>other token</source>
        <translation>别的词元</translation>
    </message>
    <message>
        <source>other row</source>
        <translation>别的行</translation>
    </message>
    <message>
        <source>other layer</source>
        <translation>别的层</translation>
    </message>
    <message>
        <source>duplicate</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>stale</source>
        <translation>陈旧</translation>
    </message>
    <message>
        <source>holds position {position}, as it should</source>
        <translation>存有位置 {position}，正确</translation>
    </message>
    <message>
        <source>a pad: what it holds does not matter</source>
        <translation>填充：内容无关紧要</translation>
    </message>
    <message>
        <source>zeros, and no token belongs here</source>
        <translation>全为零，这里不属于任何词元</translation>
    </message>
    <message>
        <source>equals no row of the oracle</source>
        <translation>与基准的任何一行都不相等</translation>
    </message>
    <message>
        <source>holds position {position}, degraded</source>
        <translation>存有位置 {position}，但已失真</translation>
    </message>
    <message>
        <source>zeros, where position {position} belongs</source>
        <translation>全为零，这里应为位置 {position}</translation>
    </message>
    <message>
        <source>holds numbers that are not finite</source>
        <translation>存有非有限的数值</translation>
    </message>
    <message>
        <source>a row too many, that equals no row of the oracle</source>
        <translation>多余的行，与基准的任何一行都不相等</translation>
    </message>
    <message>
        <source>equals layer {layer}, row {row}, position {position}</source>
        <translation>等于第 {layer} 层、第 {row} 行、位置 {position}</translation>
    </message>
    <message>
        <source>K equals layer {layer}, row {row}, position {position}</source>
        <translation>K 等于第 {layer} 层、第 {row} 行、位置 {position}</translation>
    </message>
    <message>
        <source>V equals layer {layer}, row {row}, position {position}</source>
        <translation>V 等于第 {layer} 层、第 {row} 行、位置 {position}</translation>
    </message>
    <message>
        <source>equals layer {layer}, row {row} of a draft that was rejected</source>
        <translation>等于被拒绝的草稿的第 {layer} 层、第 {row} 行</translation>
    </message>
    <message>
        <source>no token belongs here</source>
        <translation>这里不属于任何词元</translation>
    </message>
    <message>
        <source>position {position} belongs here</source>
        <translation>这里应为位置 {position}</translation>
    </message>
    <message>
        <source>A cached row never changes.</source>
        <translation>缓存里的行从不改变。</translation>
    </message>
    <message>
        <source>A layer holds one row for each token.</source>
        <translation>每层每个词元恰有一行。</translation>
    </message>
    <message>
        <source>No row that is attended to is zero or not finite.</source>
        <translation>被关注的行不会全零，也不会有非有限数。</translation>
    </message>
    <message>
        <source>No query has nothing to attend to.</source>
        <translation>每个查询都有可看的键。</translation>
    </message>
    <message>
        <source>Layers and batch rows do not share memory.</source>
        <translation>各层、各批次行不共用内存。</translation>
    </message>
    <message>
        <source>Positions go on from the history.</source>
        <translation>位置接着历史往下数。</translation>
    </message>
    <message>
        <source>KVScope report: {target}</source>
        <translation>KVScope 报告：{target}</translation>
    </message>
    <message>
        <source>Step {step}, the first bad one</source>
        <translation>第 {step} 步：首个异常步</translation>
    </message>
    <message>
        <source>Step {step}, the last one</source>
        <translation>第 {step} 步：最后一步</translation>
    </message>
    <message>
        <source>next token</source>
        <translation>下一个词元</translation>
    </message>
    <message>
        <source>oracle</source>
        <translation>基准</translation>
    </message>
    <message>
        <source>cached</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>差值</translation>
    </message>
    <message>
        <source>choice of</source>
        <translation>选它的一路</translation>
    </message>
    <message>
        <source>Logits of both lanes, the oracle&apos;s best first.</source>
        <translation>两路的 logits，按基准从高到低排列。</translation>
    </message>
    <message>
        <source>Attention at step {step}, layer {layer}, head {head}</source>
        <translation>第 {step} 步的注意力，第 {layer} 层，第 {head} 头</translation>
    </message>
    <message>
        <source>The text has more than {n} tokens: too many for a picture.</source>
        <translation>文本超过 {n} 个词元，无法作图。</translation>
    </message>
    <message>
        <source>Queries from top to bottom, keys from left to right, by the square root of the weight; in the difference orange is more weight in the cached lane, blue less. Dashed: where decoding begins; framed: what differs most.</source>
        <translation>查询自上而下，键自左而右，颜色深浅按权重的平方根；差值图中橙色表示缓存一路权重更大，蓝色表示更小。虚线：解码开始处；方框：差异最大处。</translation>
    </message>
    <message>
        <source>KV cache after step {step}</source>
        <translation>第 {step} 步之后的 KV 缓存</translation>
    </message>
    <message>
        <source>Every slot holds the row that belongs there, and none is missing.</source>
        <translation>每个槽位都存放着应有的行，没有缺失。</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>slot</source>
        <translation>槽位</translation>
    </message>
    <message>
        <source>state</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>what it holds</source>
        <translation>存放的内容</translation>
    </message>
    <message>
        <source>and {n} more slots</source>
        <translation>另有 {n} 个槽位</translation>
    </message>
    <message>
        <source>Layer {layer}: no slot holds the tokens {tokens}.</source>
        <translation>第 {layer} 层：没有槽位存放词元 {tokens}。</translation>
    </message>
    <message>
        <source>Shapes and positions</source>
        <translation>形状与位置</translation>
    </message>
    <message>
        <source>K, V of the oracle</source>
        <translation>基准的 K、V</translation>
    </message>
    <message>
        <source>K, V in the cache</source>
        <translation>缓存中的 K、V</translation>
    </message>
    <message>
        <source>grew by</source>
        <translation>增长</translation>
    </message>
    <message>
        <source>dtype</source>
        <translation>数据类型</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>[batch, n_kv_heads, kv_len, head_dim]; rows are appended in kv_len. Together {size}.</source>
        <translation>[batch, n_kv_heads, kv_len, head_dim]；新行沿 kv_len 追加。合计 {size}。</translation>
    </message>
    <message>
        <source>{grew}, expected +{expected}</source>
        <translation>{grew}，应为 +{expected}</translation>
    </message>
    <message>
        <source>Position ids that the lanes were told, by token index</source>
        <translation>两路得到的位置 id，按词元序号</translation>
    </message>
    <message>
        <source>Oracle: the whole prefix</source>
        <translation>基准：完整前缀</translation>
    </message>
    <message>
        <source>Cached: new tokens only</source>
        <translation>缓存：仅新词元</translation>
    </message>
    <message>
        <source>Cached − oracle, at most {largest}</source>
        <translation>缓存 − 基准，最大 {largest}</translation>
    </message>
    <message>
        <source>Layers by slots, |ΔK| above |ΔV|; red is more than rounding</source>
        <translation>层 × 槽位，|ΔK| 在上，|ΔV| 在下；红色表示超出舍入误差</translation>
    </message>
    <message>
        <source>Timeline: {scenario}</source>
        <translation>时间线：{scenario}</translation>
    </message>
    <message>
        <source>● within the tolerance</source>
        <translation>● 容差以内</translation>
    </message>
    <message>
        <source>○ exactly equal</source>
        <translation>○ 完全相等</translation>
    </message>
    <message>
        <source>✕ over the tolerance</source>
        <translation>✕ 超出容差</translation>
    </message>
    <message>
        <source>◯ the lanes choose different tokens</source>
        <translation>◯ 两路选择的词元不同</translation>
    </message>
    <message>
        <source>Largest |logit difference| of every step, logarithmic; dashed: the tolerance of {tolerance}.</source>
        <translation>每一步的最大 |logit 差|，对数刻度；虚线：容差 {tolerance}。</translation>
    </message>
    <message>
        <source>Shaded: the prompt; framed: generated; red: chosen by a bad step; underlined: where a wrong token matters.</source>
        <translation>底色：提示词；边框：生成的词元；红色：由异常步选出；下划线：错一个词元就有后果之处。</translation>
    </message>
    <message>
        <source>The same steps as the cached lane would have chosen</source>
        <translation>同样的步骤，缓存一路会选出的词元</translation>
    </message>
    <message>
        <source>{n} more tokens are not shown.</source>
        <translation>另有 {n} 个词元未显示。</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>token {token}, step {step}</source>
        <translation>词元 {token}，第 {step} 步</translation>
    </message>
    <message>
        <source>Where a wrong token matters</source>
        <translation>错一个词元就有后果之处</translation>
    </message>
    <message>
        <source>None of the {n} generated tokens is part of such a text ({kinds}).</source>
        <translation>生成的 {n} 个词元都不属于这类文本（{kinds}）。</translation>
    </message>
    <message>
        <source>{n} of {n_generated} generated tokens are part of such texts ({kinds}). With the cached lane {n_changed} of them would be another token.</source>
        <translation>生成的 {n_generated} 个词元中有 {n} 个属于这类文本（{kinds}）。走缓存一路时，其中 {n_changed} 个会变成别的词元。</translation>
    </message>
    <message>
        <source>The smallest margin between the oracle&apos;s first and second choice among them is {margin}, at step {step}.</source>
        <translation>其中基准的第一与第二选择之间的最小间隔为 {margin}，在第 {step} 步。</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>addresses</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>evidence and document ids</source>
        <translation>证据与文书编号</translation>
    </message>
    <message>
        <source>dates</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>account numbers</source>
        <translation>账号</translation>
    </message>
    <message>
        <source>amounts</source>
        <translation>金额</translation>
    </message>
    <message>
        <source>other numbers</source>
        <translation>其他数字</translation>
    </message>
    <message>
        <source>--sensitive {regex!r} is no regular expression: {reason}</source>
        <translation>--sensitive {regex!r} 不是正则表达式：{reason}</translation>
    </message>
    <message>
        <source>--sensitive must match some text, and be at most {n} characters long</source>
        <translation>--sensitive 必须能匹配到文本，且最长 {n} 个字符</translation>
    </message>
    <message>
        <source>the traces cannot be compared: {why}</source>
        <translation>这两个轨迹无法比较：{why}</translation>
    </message>
    <message>
        <source>the traces cannot be compared: {name} was not closed; --prefix compares what is there</source>
        <translation>两份轨迹无法比较：{name} 没有正常关闭；用 --prefix 比较已有的部分</translation>
    </message>
    <message>
        <source>the traces cannot be compared: A has {n_a} tokens and B has {n_b}; --prefix compares what both have</source>
        <translation>两份轨迹无法比较：A 有 {n_a} 个词元，B 有 {n_b} 个；用 --prefix 比较两者都有的部分</translation>
    </message>
    <message>
        <source>{path} is no mapping of names: {reason}</source>
        <translation>{path} 不是名称映射：{reason}</translation>
    </message>
    <message>
        <source>the mapping makes {first} and {second} of B the same tensor, {name}</source>
        <translation>该映射把 B 的 {first} 与 {second} 变成同一个张量 {name}</translation>
    </message>
    <message>
        <source>the traces have not the same tensors: only in A: {in_a}; only in B: {in_b}. Give a mapping with --map, leave tensors out with --without PATTERN, or compare --logits-only</source>
        <translation>两个轨迹的张量不同：只在 A 中：{in_a}；只在 B 中：{in_b}。请用 --map 给出映射，用 --without PATTERN 排除张量，或用 --logits-only 只比较 logits</translation>
    </message>
    <message>
        <source>stops when bad, or at step {step}</source>
        <translation>超差时停止，或停在第 {step} 步</translation>
    </message>
    <message>
        <source>stops at step {step}</source>
        <translation>停在第 {step} 步</translation>
    </message>
    <message>
        <source>stops over the tolerance</source>
        <translation>超出容差时停止</translation>
    </message>
    <message>
        <source>stops at NaN</source>
        <translation>遇到 NaN 时停止</translation>
    </message>
    <message>
        <source>{path} is the damaged trace itself, which is left as it is; give another name</source>
        <translation>{path} 就是损坏的轨迹本身，它会保持原样；请换一个名字</translation>
    </message>
    <message>
        <source>the target did not come back in {seconds} s while it was measured</source>
        <translation>测量期间目标在 {seconds} 秒内没有返回</translation>
    </message>
    <message>
        <source>the process that measures has died</source>
        <translation>测量进程已终止</translation>
    </message>
    <message>
        <source>nothing to write; give -o F.html or --notes F.md</source>
        <translation>没有要写的内容；请给出 -o F.html 或 --notes F.md</translation>
    </message>
    <message>
        <source>--{option} is for a check of one prompt; a suite brings its own</source>
        <translation>--{option} 用于单个提示词的检查；套件自带提示词</translation>
    </message>
    <message>
        <source>Free running</source>
        <translation>自由运行</translation>
    </message>
    <message>
        <source>{machine}, {threads} threads, {dtype}. Median of at least {repeats} repeats after {warm_up} for warming up, lanes and layouts interleaved.</source>
        <translation>{machine}，{threads} 个线程，{dtype}。预热 {warm_up} 次后至少重复 {repeats} 次取中位数，各路与各布局交错测量。</translation>
    </message>
    <message>
        <source>One decode step, batch {batch}</source>
        <translation>一个解码步，批大小 {batch}</translation>
    </message>
    <message>
        <source>Milliseconds of a step by length, both logarithmic</source>
        <translation>每步毫秒数随长度的变化，双对数坐标</translation>
    </message>
    <message>
        <source>length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>cached, ms</source>
        <translation>缓存，毫秒</translation>
    </message>
    <message>
        <source>append</source>
        <translation>追加</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>rest</source>
        <translation>其余</translation>
    </message>
    <message>
        <source>oracle, ms</source>
        <translation>基准，毫秒</translation>
    </message>
    <message>
        <source>saves</source>
        <translation>加速比</translation>
    </message>
    <message>
        <source>cache: valid / allocated / peak</source>
        <translation>缓存：有效 / 已分配 / 峰值</translation>
    </message>
    <message>
        <source>step&apos;s peak: cached / oracle</source>
        <translation>单步峰值：缓存 / 基准</translation>
    </message>
    <message>
        <source>Caching pays at every length that was measured.</source>
        <translation>在测量过的所有长度上缓存都划算。</translation>
    </message>
    <message>
        <source>time of</source>
        <translation>计时对象</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>grows as length to the</source>
        <translation>随长度增长的幂次</translation>
    </message>
    <message>
        <source>microseconds a token</source>
        <translation>每词元微秒</translation>
    </message>
    <message>
        <source>How it grows</source>
        <translation>增长情况</translation>
    </message>
    <message>
        <source>In brackets behind append: the share that gathers the blocks of a paged cache.</source>
        <translation>追加一栏括号内：分页缓存汇集各块所占的部分。</translation>
    </message>
    <message>
        <source>Compare greedily first: sampling turns one changed probability into another text or hides it, and a text that differs does not say which logits did.</source>
        <translation>先用贪心解码比较：采样会把一个概率的变化放大成另一段文本，也可能把它掩盖；文本不同并不能说明是哪些 logits 不同。</translation>
    </message>
    <message>
        <source>Both lanes write the same {n} tokens.</source>
        <translation>两路写出的 {n} 个词元相同。</translation>
    </message>
    <message>
        <source>The texts part at generated token {first}. Put back on the oracle&apos;s text, the cached lane differs {later} times more: a defect.</source>
        <translation>两段文本在第 {first} 个生成词元处分开。把缓存一路放回基准的文本后，它又有 {later} 次不同：属于缺陷。</translation>
    </message>
    <message>
        <source>The texts part at generated token {first}. Put back on the oracle&apos;s text, the cached lane chooses the same again, but its logits are over the tolerance: a defect.</source>
        <translation>两段文本在第 {first} 个生成词元处分开。把缓存一路放回基准的文本后，选择重新一致，但其 logits 超出容差：属于缺陷。</translation>
    </message>
    <message>
        <source>The texts part at generated token {first}. Put back on the oracle&apos;s text, the cached lane does not differ again: a tie.</source>
        <translation>两段文本在第 {first} 个生成词元处分开。把缓存一路放回基准的文本后不再不同：属于平局。</translation>
    </message>
    <message>
        <source>Of {n} tokens in amounts, dates, addresses or ids {changed} are others in the cached lane&apos;s text ({share}).</source>
        <translation>金额、日期、地址或编号中的 {n} 个词元里，有 {changed} 个在缓存一路的文本中不同（{share}）。</translation>
    </message>
    <message>
        <source>Each lane on its own greedy tokens.</source>
        <translation>每一路都沿自己的贪心词元继续。</translation>
    </message>
    <message>
        <source>Each lane on its own tokens, drawn at temperature {temperature} with seed {seed}, one generator for each step and lane.</source>
        <translation>每一路都沿自己的词元继续，以温度 {temperature}、种子 {seed} 采样，每一步每一路各用一个随机数生成器。</translation>
    </message>
    <message>
        <source>{path} is no readable debug tree of transformers: {why}</source>
        <translation>{path} 不是可读取的 transformers 调试树：{why}</translation>
    </message>
    <message>
        <source>{path} is no readable base file of llama-perplexity: {why}</source>
        <translation>{path} 不是可读取的 llama-perplexity 基准文件：{why}</translation>
    </message>
    <message>
        <source>Measuring was cancelled.</source>
        <translation>测量已取消。</translation>
    </message>
    <message>
        <source>Checking {scenario}, {layout}</source>
        <translation>正在检查 {scenario}，{layout}</translation>
    </message>
    <message>
        <source>Measuring length {length}, batch {batch}</source>
        <translation>正在测量：长度 {length}，批次 {batch}</translation>
    </message>
    <message>
        <source>Not measured: the check could not be read.</source>
        <translation>未测量：无法读取检查结果。</translation>
    </message>
    <message>
        <source>Not measured: {scenario} does not pass with the cache {layout}.</source>
        <translation>未测量：使用缓存 {layout} 时 {scenario} 未通过。</translation>
    </message>
    <message>
        <source>Decode without a cache</source>
        <translation>不用缓存解码</translation>
    </message>
    <message>
        <source>Greedy decoding that feeds the whole text again at every step is slow and easy to get right: it is the oracle. Read the lines below. Then record a run: blue is the oracle, orange the lane with a cache.</source>
        <translation>贪心解码每一步都重新输入整段文本，虽慢却不易写错：这就是基准。先读下面的代码，再记录一次运行：蓝色是基准，橙色是带缓存的一路。</translation>
    </message>
    <message>
        <source>Record 12 steps</source>
        <translation>记录 12 步</translation>
    </message>
    <message>
        <source>Which tensors are computed again in every step, though nothing about them has changed?</source>
        <translation>哪些张量毫无变化，却在每一步都被重新计算？</translation>
    </message>
    <message>
        <source>Of every old token, in every layer: its hidden state, its Q, K and V, its row of scores and weights. The next token needs of all that only the old K and V, and the newest token&apos;s own row.</source>
        <translation>每一层中每个旧词元的隐藏状态、Q、K、V，以及它那一行注意力分数和权重。其中下一个词元只需要旧的 K 和 V，以及最新词元自己的那一行。</translation>
    </message>
    <message>
        <source>Why greedy first, and not sampling?</source>
        <translation>为什么先用贪心，而不用采样？</translation>
    </message>
    <message>
        <source>Greedy takes the largest logit: the same logits always give the same text. Two right lanes that draw their tokens may write different texts, and a difference would say nothing. Here both lanes are fed the oracle&apos;s tokens besides, so that one wrong choice does not blur the steps after it.</source>
        <translation>贪心总取最大的 logit：logits 相同，文本就相同。若采样，两路都正确也可能写出不同的文本，差异便说明不了什么。此外，这里两路都输入基准选出的词元，一次选错不会搅乱后面的步骤。</translation>
    </message>
    <message>
        <source>Give attention a past_kv</source>
        <translation>给注意力加上 past_kv</translation>
    </message>
    <message>
        <source>The same attention takes an optional past_kv: without one only the new tokens exist, with one the new K and V are appended and the queries read all rows. Go to the first decode step: the oracle has computed every row of K and V again, the cached lane one.</source>
        <translation>同一个注意力接受可选的 past_kv：没有它时只有新词元；有它时把新的 K 和 V 追加进去，查询读取所有行。转到第一个解码步：基准重新计算了 K 和 V 的每一行，缓存一路只算了一行。</translation>
    </message>
    <message>
        <source>Go to the first decode step</source>
        <translation>转到第一个解码步</translation>
    </message>
    <message>
        <source>Why do the old positions need no recomputing?</source>
        <translation>为什么旧位置不需要重新计算？</translation>
    </message>
    <message>
        <source>The mask is causal: what a layer makes of a token depends on that token and on those before it, never on a later one. So K and V of an old token are the same in every later step, as long as it keeps its position and nothing looks ahead.</source>
        <translation>掩码是因果的：每一层对一个词元的计算只取决于它自己和它之前的词元，与后面的无关。因此只要旧词元的位置不变、也没有谁偷看未来，它的 K 和 V 在之后每一步都相同。</translation>
    </message>
    <message>
        <source>Why are K and V kept, and Q is not?</source>
        <translation>为什么保留 K 和 V，而不保留 Q？</translation>
    </message>
    <message>
        <source>The query of an old token has asked its question when the token was new. Later tokens read what it offers, its K and V; nobody asks with its query again.</source>
        <translation>旧词元的查询在它还是新词元时就已用过。后面的词元读取的是它提供的 K 和 V，再没有谁会用到它的查询。</translation>
    </message>
    <message>
        <source>Check the lengths after the prefill</source>
        <translation>预填充后检查长度</translation>
    </message>
    <message>
        <source>Before anything is decoded: in every layer the cache is as long as the prompt. The KV cache panel has one row a layer; the marked dim is the one that grows.</source>
        <translation>在解码之前，每一层的缓存都应与提示一样长。“KV 缓存”面板每层一行；标出的那一维是会增长的维度。</translation>
    </message>
    <message>
        <source>Go to the prefill</source>
        <translation>转到预填充</translation>
    </message>
    <message>
        <source>Why look at every layer, and not at the first alone?</source>
        <translation>为什么要看每一层，而不是只看第一层？</translation>
    </message>
    <message>
        <source>Each layer has a cache of its own. One that is left out, or appended to twice, or by another layer too, has a wrong length here already, before a single token has been decoded.</source>
        <translation>每一层都有自己的缓存。若某层被漏掉、追加了两次，或被别的层也追加了，那么还没解码任何词元，它的长度在这里就已经不对了。</translation>
    </message>
    <message>
        <source>The check has passed, so what is measured means something. Both lanes are timed side by side at four lengths with each layout of the cache; this takes about half a minute, Esc ends it.</source>
        <translation>检查已通过，测出的数才有意义。两路在四种长度、每种缓存布局下并排计时；约需半分钟，按 Esc 可中止。</translation>
    </message>
    <message>
        <source>Is a right length enough?</source>
        <translation>长度对了就够了吗？</translation>
    </message>
    <message>
        <source>No. Rows of zeros, stale rows and rows at a wrong position have the right length. The values are compared in step 5.</source>
        <translation>不够。全零的行、陈旧的行、位置错误的行，长度都是对的。数值在第 5 步比较。</translation>
    </message>
    <message>
        <source>Feed the newest token, at the right offset</source>
        <translation>只输入最新词元，位置偏移要对</translation>
    </message>
    <message>
        <source>A decode call feeds one token, and says where it stands: behind all that is cached. Plant the classic fault, positions that start at 0 again in every call, and look at the positions and at the first bad step. Then take it out again.</source>
        <translation>一次解码调用只输入一个词元，并说明它的位置：在所有已缓存内容之后。植入那个经典故障，即每次调用位置都从 0 重新开始，看看位置和首个超差步；然后再把它取出。</translation>
    </message>
    <message>
        <source>Plant the position fault</source>
        <translation>植入位置故障</translation>
    </message>
    <message>
        <source>Take it out again</source>
        <translation>取出故障</translation>
    </message>
    <message>
        <source>Why does a wrong offset raise no shape error?</source>
        <translation>为什么偏移错了却不报形状错误？</translation>
    </message>
    <message>
        <source>A position is not a size. It turns q and k by another angle, or reads another row of a table: every tensor keeps its shape, softmax still sums to 1, and the model says something fluent that is wrong.</source>
        <translation>位置不是尺寸。它只让 q 和 k 旋转另一个角度，或读取表中的另一行：所有张量的形状不变，softmax 之和仍为 1，模型照样说得通顺，只是说错了。</translation>
    </message>
    <message>
        <source>Which position is the right one for the new token?</source>
        <translation>新词元的正确位置是什么？</translation>
    </message>
    <message>
        <source>The number of tokens that stand before it in its text. That is the length of the cache as long as every token is kept: it is neither the place within the call, nor the rows that a window has left, nor the width of a padded batch.</source>
        <translation>文本中排在它前面的词元数。只要每个词元都被保留，它就等于缓存长度：既不是在本次调用中的序号，也不是窗口剩下的行数，更不是含填充批次的宽度。</translation>
    </message>
    <message>
        <source>Compare logits and argmax, step by step</source>
        <translation>逐步比较 logits 与 argmax</translation>
    </message>
    <message>
        <source>Presume nothing: compare all logits of every step, then the tokens that they choose. The timeline has one point a step; the logits panel shows the top of both lanes and the oracle&apos;s margin.</source>
        <translation>不做任何预设：比较每一步的全部 logits，再比较它们选出的词元。时间线上每步一个点；logits 面板显示两路得分最高的词元以及基准的间隔。</translation>
    </message>
    <message>
        <source>Go to the largest difference</source>
        <translation>转到差值最大的一步</translation>
    </message>
    <message>
        <source>The argmax agrees in every step. Is the cache right?</source>
        <translation>每一步 argmax 都一致，缓存就是对的吗？</translation>
    </message>
    <message>
        <source>That does not follow. While the difference is smaller than the margin between the two best tokens, a wrong cache chooses the same one. So logits are compared, and in every step: the digit of an amount may be the first to change.</source>
        <translation>不能这样推断。只要差值小于前两名词元的间隔，错误的缓存也会选出同一个词元。所以要比较 logits，而且每一步都比：最先变的可能就是金额里的一位数字。</translation>
    </message>
    <message>
        <source>Why a tolerance, and not equality?</source>
        <translation>为什么用容差，而不要求相等？</translation>
    </message>
    <message>
        <source>Both lanes multiply matrices of different shapes, and sums of floating point numbers depend on their order. That is rounding; it shrinks when the same is computed in a wider dtype, and a fault does not.</source>
        <translation>两路相乘的矩阵形状不同，而浮点求和与次序有关，这就是舍入。用更宽的数据类型重算，舍入会缩小，故障则不会。</translation>
    </message>
    <message>
        <source>Only now: time and memory</source>
        <translation>现在才测时间与内存</translation>
    </message>
    <message>
        <source>Measure time and memory</source>
        <translation>测量时间与内存</translation>
    </message>
    <message>
        <source>Why time only after correctness?</source>
        <translation>为什么先保证正确，再谈时间？</translation>
    </message>
    <message>
        <source>A lane that computes something else may be fast for that very reason: it reads too few rows or leaves a layer out. Nobody needs a wrong number sooner.</source>
        <translation>算的若是别的东西，也许正因如此才快：少读了几行，或漏掉了一层。没有人需要更快地得到错误的数。</translation>
    </message>
    <message>
        <source>What grows with the length, and what does not?</source>
        <translation>什么随长度增长，什么不增长？</translation>
    </message>
    <message>
        <source>The oracle feeds every token again, so its step grows with the length and the whole text with the square. A cached step computes one token; only reading the cache, and copying it where append copies, grows. In return the memory grows: in each layer two rows, K and V, for every token.</source>
        <translation>基准每次重新输入全部词元，所以一步的时间随长度增长，整段文本则按平方增长。缓存一步只计算一个词元；增长的只有读取缓存，以及追加时若要复制的那份复制。代价是内存增长：每一层、每个词元两行，即 K 和 V。</translation>
    </message>
    <message>
        <source>Add an edge case</source>
        <translation>加一个边界情形</translation>
    </message>
    <message>
        <source>A prompt of one token, and more than one step after it. Then save the lab notes: five headings, filled with what you have measured.</source>
        <translation>提示只有一个词元，之后解码不止一步。然后保存实验笔记：五个标题，填的都是你测得的结果。</translation>
    </message>
    <message>
        <source>Record a prompt of one token</source>
        <translation>记录单词元提示</translation>
    </message>
    <message>
        <source>Why a prompt of one token, and why more than one step?</source>
        <translation>为什么用单词元提示，又为什么要不止一步？</translation>
    </message>
    <message>
        <source>Such a prefill looks like a decode step: code that tells them apart by q_len == 1 takes the wrong branch, and a mask that is left out for a single query is not missed. An offset that starts at 0 again is right in the first call by chance; only the steps after it show it.</source>
        <translation>这样的预填充看上去就像解码步：靠 q_len == 1 来区分的代码会走错分支，而为单个查询省掉的掩码也不会被察觉。从 0 重新开始的偏移在第一次调用里碰巧是对的，要到后面的步骤才会显现。</translation>
    </message>
    <message>
        <source>Which other edges are worth a scenario?</source>
        <translation>还有哪些边界值得设一个场景？</translation>
    </message>
    <message>
        <source>Those where the cache and the text are no longer the same: a prompt in chunks, a second run, a batch with pads, a rollback, beams that change places, the edge of a window. All scenarios (F6) runs them.</source>
        <translation>缓存与文本不再一一对应的情形：分块的提示、第二次运行、带填充的批次、回滚、互换位置的束、窗口的边缘。“所有场景”（F6）会逐一运行。</translation>
    </message>
    <message>
        <source>Nothing is recorded yet, so nothing has been judged.</source>
        <translation>还没有记录，因此也没有判定。</translation>
    </message>
    <message>
        <source>Not measured: the lanes differ from step {step} on. How fast a wrong number is made means nothing.</source>
        <translation>未测量：两路从第 {step} 步起不一致。错误的数算得再快也没有意义。</translation>
    </message>
    <message>
        <source>Not measured: no decode step has been compared yet. Run to the end first.</source>
        <translation>未测量：还没有比较过任何解码步。请先运行到底。</translation>
    </message>
    <message>
        <source>Not measured: {n_steps} of {n_planned} steps have been compared. Run to the end first.</source>
        <translation>未测量：{n_planned} 步中只比较了 {n_steps} 步。请先运行到底。</translation>
    </message>
    <message>
        <source>{machine}, {threads} threads, {dtype}, batch {batch}. Median of at least {repeats} repeats after {warm_up} for warming up, lanes and layouts interleaved.</source>
        <translation>{machine}，{threads} 个线程，{dtype}，批次 {batch}。预热 {warm_up} 次后至少重复 {repeats} 次取中位数，各路与各布局交替进行。</translation>
    </message>
    <message>
        <source>A, in the oracle&apos;s place: {file}, lane {lane}, {dtype}, target {target}</source>
        <translation>A，位于基准处：{file}，通路 {lane}，{dtype}，目标 {target}</translation>
    </message>
    <message>
        <source>B, in the cached lane&apos;s place: {file}, lane {lane}, {dtype}, target {target}</source>
        <translation>B，位于缓存处：{file}，通路 {lane}，{dtype}，目标 {target}</translation>
    </message>
</context>
<context>
    <name>glossary</name>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>Keys and values of all tokens so far, kept so that a step computes those of its new token only. It must not change what the model says.</source>
        <translation>迄今所有词元的键和值。保留它们，每一步就只需计算新词元的键和值；模型的输出不应因此改变。</translation>
    </message>
    <message>
        <source>Oracle lane</source>
        <translation>基准一路</translation>
    </message>
    <message>
        <source>The same model without a cache: it computes the whole prefix at every step. What it says is taken as right.</source>
        <translation>不用缓存的同一模型：每一步都重新计算整个前缀。以它的输出为准。</translation>
    </message>
    <message>
        <source>Cached lane</source>
        <translation>缓存一路</translation>
    </message>
    <message>
        <source>The model as it runs in practice: it is fed the new tokens only and reads the rest from its cache.</source>
        <translation>实际使用时的模型：只输入新词元，其余从缓存读取。</translation>
    </message>
    <message>
        <source>Prefill</source>
        <translation>预填充</translation>
    </message>
    <message>
        <source>The first step: the whole prompt is fed at once and fills the cache.</source>
        <translation>第一步：一次输入整个提示词，填满缓存。</translation>
    </message>
    <message>
        <source>Decode step</source>
        <translation>解码步</translation>
    </message>
    <message>
        <source>A step that feeds one new token and appends one row to the cache of every layer.</source>
        <translation>输入一个新词元，并给每一层的缓存追加一行。</translation>
    </message>
    <message>
        <source>Logits</source>
        <translation>Logits</translation>
    </message>
    <message>
        <source>One number for each word of the vocabulary, before softmax: the larger, the likelier it comes next.</source>
        <translation>词表中每个词元对应一个数（softmax 之前）：越大，越可能是下一个。</translation>
    </message>
    <message>
        <source>Tolerance</source>
        <translation>容差</translation>
    </message>
    <message>
        <source>The largest difference of a logit that counts as equal. Rounding alone stays far below it.</source>
        <translation>仍算相等的最大 logit 差值。仅由舍入造成的差值远低于它。</translation>
    </message>
    <message>
        <source>Margin</source>
        <translation>间隔</translation>
    </message>
    <message>
        <source>How far the oracle&apos;s best logit is above its second best. A difference larger than this can change the token.</source>
        <translation>基准最大的 logit 比第二大的高出多少。差值超过它，就可能选出不同的词元。</translation>
    </message>
    <message>
        <source>KL divergence</source>
        <translation>KL 散度</translation>
    </message>
    <message>
        <source>How much the cached lane&apos;s probabilities differ from the oracle&apos;s, as one number. 0 means that they are the same.</source>
        <translation>用一个数表示缓存一路的概率与基准相差多少。0 表示完全相同。</translation>
    </message>
    <message>
        <source>Argmax</source>
        <translation>Argmax</translation>
    </message>
    <message>
        <source>The token with the largest logit, which greedy decoding chooses.</source>
        <translation>logit 最大的词元，即贪心解码所选的词元。</translation>
    </message>
    <message>
        <source>Position id</source>
        <translation>位置编号</translation>
    </message>
    <message>
        <source>The place in the text that the model is told for a token. It goes on from what the cache holds; counting from 0 again is a common mistake.</source>
        <translation>告诉模型某个词元在文本中的位置。应接着缓存已有的内容往下数；又从 0 数起是常见的错误。</translation>
    </message>
    <message>
        <source>Cache slot</source>
        <translation>缓存槽位</translation>
    </message>
    <message>
        <source>A row of the cache that holds the key and the value of one token.</source>
        <translation>缓存中的一行，存放一个词元的键和值。</translation>
    </message>
    <message>
        <source>Append dim</source>
        <translation>追加维</translation>
    </message>
    <message>
        <source>The axis of K and V that grows with the text: kv_len, dim 2 of [batch, kv_heads, kv_len, head_dim].</source>
        <translation>K 和 V 中随文本增长的那一维：kv_len，即 [batch, kv_heads, kv_len, head_dim] 的第 2 维。</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>One block of the model with its own attention and its own part of the cache.</source>
        <translation>模型的一个模块，有自己的注意力和自己的那部分缓存。</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>One of several attentions that a layer computes side by side.</source>
        <translation>一层中并行计算的若干注意力之一。</translation>
    </message>
    <message>
        <source>GQA</source>
        <translation>GQA</translation>
    </message>
    <message>
        <source>Grouped-query attention: several query heads share one key and value head, which makes the cache smaller.</source>
        <translation>分组查询注意力：多个查询头共用一个键值头，从而缩小缓存。</translation>
    </message>
    <message>
        <source>Attention weights</source>
        <translation>注意力权重</translation>
    </message>
    <message>
        <source>How much each token (row, query) looks at each token before it (column, key). A row adds up to 1.</source>
        <translation>每个词元（行，查询）对它之前各词元（列，键）的关注程度。每行之和为 1。</translation>
    </message>
    <message>
        <source>Causal mask</source>
        <translation>因果掩码</translation>
    </message>
    <message>
        <source>What keeps a token from looking at later ones: the part of the map above the diagonal stays empty.</source>
        <translation>防止词元看到后面的词元：图中对角线以上的部分为空。</translation>
    </message>
    <message>
        <source>Scenario</source>
        <translation>场景</translation>
    </message>
    <message>
        <source>A way to use the cache: token by token, in chunks, in a batch, rolled back. Each breaks for reasons of its own.</source>
        <translation>使用缓存的一种方式：逐词元、分块、成批、回滚。每种各有出错的原因。</translation>
    </message>
    <message>
        <source>Cache layout</source>
        <translation>缓存布局</translation>
    </message>
    <message>
        <source>How keys and values lie in memory: joined anew at each step, written into a fixed block, into pages, or into a ring.</source>
        <translation>键和值在内存中的存放方式：每步重新拼接、写入固定块、分页，或写入环形缓冲。</translation>
    </message>
    <message>
        <source>Planted fault</source>
        <translation>植入的故障</translation>
    </message>
    <message>
        <source>A known mistake that is put into the cached lane on purpose, to see how it shows.</source>
        <translation>故意放进缓存一路的已知错误，用来观察它如何显现。</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>The block of memory that a tensor lives in. Two layers with the same one overwrite each other.</source>
        <translation>张量所在的内存块。两层若共用一块，就会互相覆盖。</translation>
    </message>
    <message>
        <source>Healed</source>
        <translation>修复率</translation>
    </message>
    <message>
        <source>The share of the difference that goes when only the suspect is replaced by the oracle&apos;s. An equally large repair elsewhere should heal nothing.</source>
        <translation>只把可疑部分换成基准的内容后，差值消失的比例。在别处做同样大小的修复则不应有任何效果。</translation>
    </message>
</context>
<context>
    <name>step_marks</name>
    <message>
        <source>chunk</source>
        <translation>分块</translation>
    </message>
    <message>
        <source>turn</source>
        <translation>新一轮</translation>
    </message>
    <message>
        <source>draft</source>
        <translation>草稿</translation>
    </message>
    <message>
        <source>rollback</source>
        <translation>回退</translation>
    </message>
    <message>
        <source>reorder</source>
        <translation>重排</translation>
    </message>
    <message>
        <source>a further chunk of the prompt: {n} tokens at once</source>
        <translation>提示词的又一块：一次送入 {n} 个词元</translation>
    </message>
    <message>
        <source>a later turn begins: {n} tokens at once</source>
        <translation>新一轮开始：一次送入 {n} 个词元</translation>
    </message>
    <message>
        <source>{n} draft tokens at once, to be checked</source>
        <translation>一次送入 {n} 个待验证的草稿词元</translation>
    </message>
    <message>
        <source>before it the cache was rolled back to {n} tokens</source>
        <translation>此前缓存已回退到 {n} 个词元</translation>
    </message>
    <message>
        <source>before it the batch rows changed places</source>
        <translation>此前批次各行交换了位置</translation>
    </message>
    <message>
        <source>before it the cache was rolled back</source>
        <translation>此前缓存已回退</translation>
    </message>
    <message>
        <source>chose “{text}”, part of a number, a date, an address or an id</source>
        <translation>所选“{text}”属于数字、日期、地址或编号</translation>
    </message>
    <message>
        <source>chose “{text}”, part of a number, a date, an address or an id; the cached lane would choose “{other}”</source>
        <translation>所选“{text}”属于数字、日期、地址或编号；缓存一路会选“{other}”</translation>
    </message>
</context>
</TS>
