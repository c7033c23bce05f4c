#include "app/explain/html.h"

namespace pet::explain {

const char* const kStyle = R"(
:root{color-scheme:light dark;--paper:#fdfcfa;--ink:#1d1f23;--soft:#5c6068;--line:#dbd8d1;--card:#fff;
--new:#e0eff9;--new-line:#2f7fb8;--view:#f1efea;--total:#68707c;--saving:#2e8b57;--loss:#c2542d}
@media (prefers-color-scheme:dark){:root{--paper:#16181c;--ink:#e6e4df;--soft:#a3a8b1;--line:#3a3f48;--card:#1e2126;
--new:#173448;--new-line:#5eb2ea;--view:#2a2e35;--total:#8b93a0;--saving:#58b883;--loss:#e58059}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:72rem;padding:2.5rem 1.5rem 5rem;background:var(--paper);color:var(--ink);
font:17px/1.55 Charter,"Bitstream Charter","Iowan Old Style",Georgia,serif}
h1,h2,.kicker,dt,table,summary,figcaption,.bar,svg text{font-family:system-ui,"Segoe UI",Helvetica,Arial,sans-serif}
h1{font-size:2rem;line-height:1.2;margin:0 0 .6rem;overflow-wrap:anywhere}
h1.part{font-size:1.45rem;margin:3.4rem 0 .8rem;padding-top:1.2rem;border-top:2px solid var(--ink)}
h2{font-size:1.12rem;line-height:1.35;margin:2.8rem 0 .7rem;overflow-wrap:anywhere}
.kicker{color:var(--soft);font-size:.8rem;letter-spacing:.06em;text-transform:uppercase;margin:0 0 .4rem}
p{max-width:46rem;margin:.7rem 0}
.lead{font-size:1.3rem;line-height:1.4;margin:0 0 1.6rem}
dl{display:grid;grid-template-columns:7rem minmax(0,1fr);gap:.4rem 1.2rem;margin:.8rem 0}
dt{color:var(--soft);font-size:.85rem;padding-top:.14rem}
dd{margin:0;max-width:50rem;overflow-wrap:anywhere}
dd p{margin:0 0 .3rem;max-width:none}
sup{line-height:0;font-size:.72em}
table{border-collapse:collapse;font-size:.84rem;line-height:1.4;width:100%;font-variant-numeric:tabular-nums}
th,td{text-align:right;padding:.3rem .6rem;border-top:1px solid var(--line);vertical-align:top}
th{font-weight:600;color:var(--soft);vertical-align:bottom;border-top:0}
th:first-child,td:first-child{text-align:left;padding-left:0}
td:first-child{min-width:15rem;overflow-wrap:anywhere}
td:not(:first-child){white-space:nowrap}
.wide{display:block;position:sticky;left:0;max-width:min(100%,calc(100vw - 2.5rem))}
.note td{border-top:0;padding-top:0;color:var(--soft)}
.about td{font-weight:600;padding-top:1rem;border-top:0}
.about+tr td{border-top:0}
details{margin:.8rem 0}summary{cursor:pointer;color:var(--soft);font-size:.9rem}
.scroll{overflow-x:auto;--under:var(--paper);background:linear-gradient(90deg,var(--under) 40%,transparent) 0 0/2.5rem 100% no-repeat local,
linear-gradient(-90deg,var(--under) 40%,transparent) 100% 0/2.5rem 100% no-repeat local,
linear-gradient(90deg,var(--line),transparent) 0 0/.7rem 100% no-repeat,linear-gradient(-90deg,var(--line),transparent) 100% 0/.7rem 100% no-repeat}
figure .scroll{--under:var(--card)}
figure{margin:1rem 0;background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.9rem 1.1rem}
figcaption{color:var(--soft);font-size:.85rem;margin-bottom:.6rem}
.pair{display:flex;flex-wrap:wrap;gap:1rem;margin:1.2rem 0}.pair figure{flex:1 1 auto;max-width:100%;margin:0}
.key{display:inline-block;margin-left:.4rem}
pre{margin:.6rem 0 0;font:.78rem/1.5 ui-monospace,Menlo,Consolas,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
.mark{background:var(--new);display:block}
.graph svg{display:block;width:100%;height:auto;margin:0 auto}
.graph text{fill:var(--ink)}
.graph .node path,.graph .node polygon,.graph .node polyline{stroke:var(--soft);fill:var(--card)}
.graph .view path{fill:var(--view)}
.graph .input path{fill:none;stroke-dasharray:3 3}
.graph .new path,.graph .new polygon,.graph .new polyline{stroke:var(--new-line);fill:var(--new)}
.graph .view.new path{fill:var(--view)}
.graph .edge path{stroke:var(--soft)}.graph .edge polygon{stroke:var(--soft);fill:var(--soft)}
.bar{display:grid;grid-template-columns:minmax(0,5fr) minmax(0,7fr) 7rem;gap:0 1rem;font-size:.85rem;line-height:1.35;
padding:.32rem 0;align-items:center}
.bar+.bar{border-top:1px solid var(--line)}
.bar .name{grid-row:1;overflow-wrap:anywhere}.bar .track{grid-row:1;grid-column:2;position:relative;height:.95rem}
.bar .ms{grid-row:1;grid-column:3;text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.track span{position:absolute;top:0;bottom:0;border-radius:2px}
.total{background:var(--total)}.saving{background:var(--saving)}.loss{background:var(--loss)}
.swatch{display:inline-block;width:.8em;height:.8em;border:1px solid var(--new-line);border-radius:3px;margin:0 .35em 0 .8em}
.made{background:var(--new)}.moved{background:var(--view);border-color:var(--soft)}.given{border:1px dashed var(--soft)}
@media (max-width:46rem){body{font-size:16px;padding:1.5rem 1rem 3rem}dl{grid-template-columns:1fr;gap:0}
dt{margin-top:.7rem}.bar{grid-template-columns:minmax(0,1fr) 6.5rem}.bar .ms{grid-column:2}
.bar .track{grid-row:2;grid-column:1/3;margin-top:.25rem}.key{display:block;margin-left:-.8em}
th,td{padding:.3rem .4rem}figure{padding:.7rem .8rem}}
@media print{body{max-width:none;padding:0}figure,tr{break-inside:avoid}}
)";

}  // namespace pet::explain
