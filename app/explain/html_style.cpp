#include "app/explain/html.h"

namespace pet::explain {

const char* const kStyle = R"(
:root{color-scheme:light dark;--paper:#fdfcfa;--ink:#1d1f23;--soft:#62666e;--line:#d9d6cf;--card:#fff;
--new:#dceefb;--new-line:#2f7fb8;--view:#f1efea;--total:#68707c;--saving:#2e8b57;--loss:#c2542d}
@media (prefers-color-scheme:dark){:root{--paper:#16181c;--ink:#e6e4df;--soft:#9da2ab;--line:#383c44;--card:#1e2126;
--new:#173448;--new-line:#5eb2ea;--view:#262a30;--total:#8b93a0;--saving:#58b883;--loss:#e58059}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:70rem;padding:2.5rem 1.5rem 5rem;background:var(--paper);color:var(--ink);
font:17px/1.55 Charter,"Bitstream Charter","Iowan Old Style",Georgia,serif}
h1,h2,.kicker,dt,th,summary,figcaption,svg text{font-family:system-ui,"Segoe UI",Helvetica,Arial,sans-serif}
h1{font-size:1.9rem;line-height:1.2;margin:0 0 1.2rem;overflow-wrap:anywhere}
h1.part{font-size:1.45rem;margin:3.2rem 0 0;padding-top:1.2rem;border-top:2px solid var(--ink)}
h2{font-size:1.1rem;margin:2.4rem 0 .6rem;overflow-wrap:anywhere}
.kicker{color:var(--soft);font-size:.8rem;letter-spacing:.06em;text-transform:uppercase;margin:0 0 .4rem}
p{max-width:46rem}
dl{display:grid;grid-template-columns:6.5rem minmax(0,1fr);gap:.35rem 1.2rem;margin:.8rem 0}
dt{color:var(--soft);font-size:.85rem;padding-top:.14rem}
dd{margin:0;max-width:50rem;overflow-wrap:anywhere}
dd p{margin:0 0 .3rem}
table{border-collapse:collapse;font-size:.86rem;width:100%;font-variant-numeric:tabular-nums}
th,td{text-align:right;padding:.3rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}
th{font-weight:600;color:var(--soft)}
th:first-child,td:first-child{text-align:left;padding-left:0;overflow-wrap:anywhere}
td{white-space:nowrap}td:first-child{white-space:normal}
details{margin:.8rem 0}summary{cursor:pointer;color:var(--soft);font-size:.9rem}
.scroll{overflow-x:auto}
.pair{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,2fr);gap:1rem;margin:1.2rem 0}
@media (max-width:50rem){.pair{grid-template-columns:1fr}}
figure{margin:0;background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.8rem 1rem}
figcaption{color:var(--soft);font-size:.85rem;margin-bottom:.6rem}
pre{margin:0;font:.78rem/1.5 ui-monospace,Menlo,Consolas,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
.mark{background:var(--new);display:block}
.graph svg{max-width:100%;height:auto}
.graph text,.fall text{fill:var(--ink)}
.graph .node path,.graph .node polygon,.graph .node polyline{stroke:var(--line);fill:var(--card)}
.graph .view path{fill:var(--view)}
.graph .input path{fill:none;stroke-dasharray:3 3}
.graph .new path,.graph .new polygon,.graph .new polyline{stroke:var(--new-line);fill:var(--new)}
.graph .view.new path{fill:var(--view)}
.graph .edge path{stroke:var(--soft)}.graph .edge polygon{stroke:var(--soft);fill:var(--soft)}
.fall svg{width:100%;height:auto}.fall .name{font-size:13px}.fall .ms{font-size:13px;font-variant-numeric:tabular-nums}
.fall .total{fill:var(--total)}.fall .saving{fill:var(--saving)}.fall .loss{fill:var(--loss)}
.fall line{stroke:var(--line)}
.swatch{display:inline-block;width:.8em;height:.8em;border:1px solid var(--new-line);background:var(--new);
border-radius:3px;margin-right:.3em}
@media print{body{max-width:none;padding:0}figure,tr{break-inside:avoid}}
)";

}  // namespace pet::explain
