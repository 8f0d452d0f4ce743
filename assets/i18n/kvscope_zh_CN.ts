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
        <source>This trace has no attention weights.</source>
        <translation>此轨迹没有注意力权重。</translation>
    </message>
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
        <source>max |Δ| {value} at ({query}, {key})</source>
        <translation>最大 |Δ| {value}，位于 ({query}, {key})</translation>
    </message>
</context>
<context>
    <name>Commands</name>
    <message>
        <source>Traces (*.kvtrace *.part);;All files (*)</source>
        <translation>轨迹 (*.kvtrace *.part);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Open a trace</source>
        <translation>打开轨迹</translation>
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
    <name>ErrorReporter</name>
    <message>
        <source>Something went wrong inside KVScope. What was recorded so far stays usable.</source>
        <translation>KVScope 内部出错。已记录的内容仍可使用。</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>错误报告</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
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
        <source>Plant a fault in how the cached lane uses its cache</source>
        <translation>在缓存一路使用缓存的方式中植入一个故障</translation>
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
        <source>slots used</source>
        <translation>已用槽位</translation>
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
        <source>position ids of this step</source>
        <translation>本步位置编号</translation>
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
        <source>This trace has no facts about the KV cache.</source>
        <translation>此轨迹没有 KV 缓存的信息。</translation>
    </message>
    <message>
        <source>{total} in all · {per_layer} a layer</source>
        <translation>共 {total} · 每层 {per_layer}</translation>
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
        <source>layer {layer}, head {head}: max |Δ weight| {value}</source>
        <translation>第 {layer} 层第 {head} 头：最大 |Δ 权重| {value}</translation>
    </message>
</context>
<context>
    <name>LayersPanel</name>
    <message>
        <source>This trace has no attention weights.</source>
        <translation>此轨迹没有注意力权重。</translation>
    </message>
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
</context>
<context>
    <name>RunBar</name>
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
        <source>Decode steps after the prompt</source>
        <translation>提示词之后的解码步数</translation>
    </message>
    <message>
        <source>Largest |Δ logit| that counts as equal</source>
        <translation>视为相等的最大 |Δ logit|</translation>
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
        <source>This trace has no differences per cache slot.</source>
        <translation>此轨迹没有各槽位的差值。</translation>
    </message>
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
        <source>batch row {row} of {count}</source>
        <translation>批次第 {row} 行，共 {count} 行</translation>
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
    <name>_Bars</name>
    <message>
        <source>“{token}”, id {id}: oracle {oracle}, cached {cached}</source>
        <translation>“{token}”，编号 {id}：基准 {oracle}，缓存 {cached}</translation>
    </message>
</context>
<context>
    <name>_Canvas</name>
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
        <source>&amp;Open trace…</source>
        <translation>打开轨迹(&amp;O)…</translation>
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
        <source>{path} exists; give another name, or --force to replace it</source>
        <translation>{path} 已存在；请换个名字，或用 --force 覆盖</translation>
    </message>
    <message>
        <source>cannot write into {folder}: the folder is missing or read-only</source>
        <translation>无法写入 {folder}：文件夹不存在或只读</translation>
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
        <source>the target failed: {kind}: {reason}</source>
        <translation>目标运行失败：{kind}：{reason}</translation>
    </message>
    <message>
        <source>a sliding cache overwrites old rows, it cannot be rolled back</source>
        <translation>滑动窗口缓存会覆盖旧行，无法回滚</translation>
    </message>
    <message>
        <source>the target has no {function}()</source>
        <translation>目标没有 {function}()</translation>
    </message>
    <message>
        <source>the target takes no attention_mask</source>
        <translation>目标不接受 attention_mask</translation>
    </message>
    <message>
        <source>the prompt is not valid text at character {at} (a lone surrogate); give its ids with --prompt-ids</source>
        <translation>提示词在第 {at} 个字符处不是有效文本（孤立的代理项）；请用 --prompt-ids 给出编号</translation>
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
        <source>cannot load {target}: {reason}</source>
        <translation>无法加载 {target}：{reason}</translation>
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
        <source>equal so far, {n_steps} of {n_planned} steps</source>
        <translation>目前一致，{n_planned} 步中已完成 {n_steps} 步</translation>
    </message>
    <message>
        <source>equivalent over {n_steps} steps</source>
        <translation>{n_steps} 步全部等价</translation>
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
</context>
</TS>
