import { Html } from './html.ts';

/** Light and dark as the reader's device is, one column on a phone, black on white in print. */
export const style = new Html(`<style>
:root{color-scheme:light dark;--ink:#1b1f24;--dim:#5b6570;--paper:#fff;--rule:#d7dce1;--main:#0b62c4;--low:#a15c00;--high:#2c7a3f;--loss:#b3261e;--warn:#8a4b00}
@media (prefers-color-scheme:dark){:root{--ink:#e6e9ec;--dim:#9aa4ae;--paper:#14181c;--rule:#333b44;--main:#6ab0ff;--low:#f0a94b;--high:#6ccf86;--loss:#ff8a80;--warn:#f0a94b}}
@media print{:root{--ink:#000;--dim:#444;--paper:#fff;--rule:#bbb;--main:#0b62c4;--low:#a15c00;--high:#2c7a3f;--loss:#b3261e;--warn:#8a4b00}figure,table{break-inside:avoid}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:60rem;padding:1rem;font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
h1{font-size:1.5rem;margin:.2rem 0}h2{font-size:1.2rem;margin:2rem 0 .5rem;border-bottom:1px solid var(--rule)}h3{font-size:1rem;margin:1.2rem 0 .3rem}
p{margin:.4rem 0}.dim,figcaption,.tick{color:var(--dim)}.warn{color:var(--warn);font-weight:600}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%}th,td{padding:.25rem .5rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--rule)}
td,th{overflow-wrap:anywhere}th.number,td.number{text-align:right;white-space:nowrap;overflow-wrap:normal;font-variant-numeric:tabular-nums}
.wide td:first-child,.wide th:first-child{min-width:9rem}.wide td.words{min-width:14rem}
figure{margin:1rem 0}figcaption{font-size:.9rem}svg{width:100%;height:auto;display:block}
.line{fill:none;stroke-width:2;vector-effect:non-scaling-stroke}.line.low{stroke:var(--low);stroke-dasharray:6 4}.line.main{stroke:var(--main)}.line.high{stroke:var(--high);stroke-dasharray:2 3}
.key{white-space:nowrap;margin-right:.6rem}.key::before{content:'— '}.key.low{color:var(--low)}.key.main{color:var(--main)}.key.high{color:var(--high)}
.grid{stroke:var(--rule)}.tick{font-size:11px;fill:var(--dim)}.tick.end{text-anchor:end}
.bars th{width:38%;font-weight:400}.bars td:nth-child(2){width:40%}.bars svg{height:.8rem;margin-top:.35rem}.gain{fill:var(--main)}.loss{fill:var(--loss)}
.heat{background:color-mix(in srgb,var(--main) var(--heat),var(--paper));print-color-adjust:exact}.map{width:auto}.map td,.map th{border:1px solid var(--rule)}
.dot{stroke:var(--paper)}.dot.main{fill:var(--main)}.dot.low{fill:var(--low)}.dot.high{fill:var(--high)}
.strip{height:.8rem}.seen{fill:var(--main)}.blind{fill:var(--loss)}
code{font:.9em ui-monospace,monospace;overflow-wrap:anywhere}dt{font-weight:600;margin-top:.6rem}dd{margin:0}
</style>`);
