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
        <source>log</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>Colours by the logarithm of the weight</source>
        <translation>按权重的对数着色</translation>
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
        <source>query {token}</source>
        <translation>查询 {token}</translation>
    </message>
    <message>
        <source>key {token}</source>
        <translation>键 {token}</translation>
    </message>
    <message>
        <source>not seen by this query</source>
        <translation>该查询看不到此键</translation>
    </message>
    <message>
        <source>oracle {value}</source>
        <translation>基准 {value}</translation>
    </message>
    <message>
        <source>cached {value}</source>
        <translation>缓存 {value}</translation>
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
</context>
<context>
    <name>Commands</name>
    <message>
        <source>Traces and targets (*.kvtrace *.part *.py *.gguf);;Traces (*.kvtrace *.part);;Target files (*.py *.gguf);;All files (*)</source>
        <translation>轨迹与目标 (*.kvtrace *.part *.py *.gguf);;轨迹 (*.kvtrace *.part);;目标文件 (*.py *.gguf);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Open a trace or a target</source>
        <translation>打开轨迹或目标</translation>
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
</context>
<context>
    <name>FindingBanner</name>
    <message>
        <source>Findings</source>
        <translation>结论</translation>
    </message>
</context>
<context>
    <name>HelpDialogs</name>
    <message>
        <source>Keys</source>
        <translation>快捷键</translation>
    </message>
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
        <source>Layers × heads</source>
        <translation>层 × 头</translation>
    </message>
    <message>
        <source>by difference</source>
        <translation>按差值</translation>
    </message>
</context>
<context>
    <name>LogitsPanel</name>
    <message>
        <source>step {step}</source>
        <translation>第 {step} 步</translation>
    </message>
    <message>
        <source>This trace has no logits for this step.</source>
        <translation>此轨迹没有这一步的 logits。</translation>
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
        <source>The file was not run. This is the built-in model.</source>
        <translation>文件没有运行。这里显示的是内置模型。</translation>
    </message>
</context>
<context>
    <name>Panel</name>
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
    <name>PositionsPlot</name>
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
        <source>How the cached lane stores keys and values</source>
        <translation>缓存一路如何存放键和值</translation>
    </message>
    <message>
        <source>The target brings its own cache</source>
        <translation>目标自带缓存</translation>
    </message>
    <message>
        <source>Decode steps after the prompt</source>
        <translation>提示词之后的解码步数</translation>
    </message>
    <message>
        <source>Largest |Δ logit| that counts as equal</source>
        <translation>视为相等的最大 |Δ logit|</translation>
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
</context>
<context>
    <name>SlotsMap</name>
    <message>
        <source>Differences by layer and slot</source>
        <translation>各层各槽位的差值</translation>
    </message>
    <message>
        <source>layer {layer}, slot {slot}: |Δ{name}| {value}</source>
        <translation>第 {layer} 层，槽位 {slot}：|Δ{name}| {value}</translation>
    </message>
    <message>
        <source>layer {layer}, slot {slot}: not in the cache any more</source>
        <translation>第 {layer} 层，槽位 {slot}：已不在缓存中</translation>
    </message>
</context>
<context>
    <name>SlotsPanel</name>
    <message>
        <source>Slots and positions</source>
        <translation>槽位与位置</translation>
    </message>
    <message>
        <source>difference per layer and slot; position told per slot</source>
        <translation>各层各槽位的差值；每个槽位得到的位置编号</translation>
    </message>
</context>
<context>
    <name>SlotsPlot</name>
    <message>
        <source>Slots and positions</source>
        <translation>槽位与位置</translation>
    </message>
    <message>
        <source>Differences of the keys</source>
        <translation>键的差值</translation>
    </message>
    <message>
        <source>Differences of the values</source>
        <translation>值的差值</translation>
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
        <source>oracle {oracle:.1f} ms, cached {cached:.1f} ms a step</source>
        <translation>每步：基准 {oracle:.1f} 毫秒，缓存 {cached:.1f} 毫秒</translation>
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
        <source>&amp;Trusted files…</source>
        <translation>受信任的文件(&amp;T)…</translation>
    </message>
    <message>
        <source>&amp;Save trace…</source>
        <translation>保存轨迹(&amp;S)…</translation>
    </message>
    <message>
        <source>Save &amp;picture…</source>
        <translation>保存图片(&amp;P)…</translation>
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
        <source>&amp;Cancel run</source>
        <translation>取消运行(&amp;C)</translation>
    </message>
    <message>
        <source>A&amp;ll scenarios</source>
        <translation>所有场景(&amp;L)</translation>
    </message>
    <message>
        <source>Record &amp;again</source>
        <translation>重新记录(&amp;A)</translation>
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
        <source>&amp;Light or dark</source>
        <translation>浅色或深色(&amp;T)</translation>
    </message>
    <message>
        <source>中文 / &amp;English</source>
        <translation>中文 / &amp;English</translation>
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
        <source>Every decode step counts its positions from 0 instead of from the length of the cache: `arange(q_len)` without the offset.</source>
        <translation>每个解码步都从 0 而不是从缓存长度开始计位置：`arange(q_len)` 漏加了偏移。</translation>
    </message>
    <message>
        <source>The prefix is fed twice</source>
        <translation>前缀被送入两次</translation>
    </message>
    <message>
        <source>The first decode step feeds the whole text again although the cache is kept, so every row of the prefix is there twice.</source>
        <translation>缓存已保留，第一个解码步却又送入全部文本，于是前缀的每一行都出现两次。</translation>
    </message>
    <message>
        <source>Layers share one cache</source>
        <translation>各层共用一个缓存</translation>
    </message>
    <message>
        <source>One buffer serves all layers (`[cache] * n_layers`): each layer overwrites the rows of the layer before it, and the last one wins.</source>
        <translation>所有层共用同一块缓冲（`[cache] * n_layers`）：每层覆盖前一层的行，只留下最后一层。</translation>
    </message>
    <message>
        <source>Batch rows share one cache</source>
        <translation>批次各行共用一个缓存</translation>
    </message>
    <message>
        <source>The rows of the batch are looked up under one sequence: after each step every row reads the cache of row 0.</source>
        <translation>批次各行都按同一个序列查找：每步之后，所有行读到的都是第 0 行的缓存。</translation>
    </message>
    <message>
        <source>Mask aligned to the top left corner</source>
        <translation>掩码对齐到左上角</translation>
    </message>
    <message>
        <source>`is_causal=True` with fewer queries than keys: query i sees the first i + 1 keys of the cache, and a single query sees key 0 only.</source>
        <translation>查询少于键时使用 `is_causal=True`：第 i 个查询只看到缓存的前 i + 1 个键，单个查询只看到第 0 个键。</translation>
    </message>
    <message>
        <source>A row is never written</source>
        <translation>有一行从未写入</translation>
    </message>
    <message>
        <source>The counter moves on but the last row of the prefill is not written: its slot stays zero and is attended to.</source>
        <translation>计数器已前移，但预填充的最后一行没有写入：该槽位保持为零，却仍被关注。</translation>
    </message>
    <message>
        <source>bfloat16 cache in a float32 model</source>
        <translation>float32 模型使用 bfloat16 缓存</translation>
    </message>
    <message>
        <source>The cache was allocated in another dtype than the model: K and V lose 16 bits on their way through it, and nothing fails.</source>
        <translation>缓存的数据类型与模型不同：K 和 V 经过缓存时丢失 16 位，却不会报错。</translation>
    </message>
    <message>
        <source>{fault} cannot be seen on {target}: ALiBi uses the distance between cache slots, and position ids are not used</source>
        <translation>{fault} 在 {target} 上看不出来：ALiBi 使用缓存槽位之间的距离，不使用位置编号</translation>
    </message>
    <message>
        <source>{fault} cannot be seen in {scenario}: it needs a batch of two rows</source>
        <translation>{fault} 在 {scenario} 中看不出来：它需要两行的批次</translation>
    </message>
    <message>
        <source>unknown {what} {given!r}; choose one of: {known}</source>
        <translation>未知的{what} {given!r}；可选：{known}</translation>
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
        <source>full() returned logits of shape {shown}, expected [batch, tokens, vocabulary]</source>
        <translation>full() 返回的 logits 形状为 {shown}，应为 [batch, tokens, vocabulary]</translation>
    </message>
    <message>
        <source>{function}() returned {shown} as logits, expected a float tensor [batch, tokens, vocabulary]</source>
        <translation>{function}() 返回的 logits 是 {shown}，应为浮点张量 [batch, tokens, vocabulary]</translation>
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
        <source>the prompt is not valid text at character {at} (a lone surrogate); give its ids with --prompt-ids</source>
        <translation>提示词在第 {at} 个字符处不是有效文本（孤立的代理项）；请用 --prompt-ids 给出编号</translation>
    </message>
    <message>
        <source>could not be run in {dtype}: {reason}</source>
        <translation>无法以 {dtype} 运行：{reason}</translation>
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
        <source>{where} in the trace is not readable: {reason}</source>
        <translation>轨迹中的 {where} 不可读：{reason}</translation>
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
        <source>attention could not be recorded: {reason}</source>
        <translation>无法记录注意力：{reason}</translation>
    </message>
    <message>
        <source>the trace contradicts itself at step {step}: {why}</source>
        <translation>记录在第 {step} 步自相矛盾：{why}</translation>
    </message>
    <message>
        <source>tie: the difference of {diff} at step {step} falls to {stable} where each top-k takes the first of equal values; by length it takes another, in the oracle too</source>
        <translation>平局：若每个 top-k 都取相等值中的第一个，第 {step} 步的差异 {diff} 会下降到 {stable}；否则它随长度取不同的值，基准也是如此</translation>
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
</context>
</TS>
