"""The style sheet of a report; its colours are those of the page."""

STYLE = """
:root {
  color-scheme: light dark;
  --page: #f4efe6; --card: #fffdf8; --ink: #272119; --soft: #5f5546; --line: #d9cfbd;
  --first: #1d5a49; --mark: #8a4b00; --bed: #fff1d6; --link: #0b57d0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #191613; --card: #24201b; --ink: #efe8dc; --soft: #b9ae9c; --line: #423a30;
    --first: #7fd1b5; --mark: #ffc870; --bed: #3a2c14; --link: #8ab4ff;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--page); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .5rem 0; }
h2 { font-size: 1.2rem; margin: 2rem 0 .75rem; }
h3 { font-size: 1.05rem; margin: 0 0 .5rem; }
p { margin: 0 0 .6rem; overflow-wrap: anywhere; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
figure { margin: 0; }
figcaption, #told { color: var(--soft); font-size: .9rem; text-align: start; padding: .4rem 0; }
svg { display: block; width: 100%; height: auto; }
.curve svg { max-width: 44rem; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
.board svg { max-width: 26rem; }
article {
  background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; margin: 0 0 1rem;
}
@media (min-width: 46rem) {
  article { display: grid; grid-template-columns: 1fr 24rem; column-gap: 1.25rem; }
  article h3 { grid-column: 1 / -1; }
}
span { white-space: nowrap; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; background: var(--card); font-variant-numeric: tabular-nums; }
th, td { border: 1px solid var(--line); padding: .25rem .6rem; text-align: start; font-weight: 400; }
thead th { font-weight: 600; }
tbody th, td:not(:last-child) { white-space: nowrap; }
th.number, td.number { text-align: end; }
@media (max-width: 30rem) {
  main { padding: .75rem; }
  table { font-size: .85rem; }
  th, td { padding: .2rem .3rem; }
}
.lost th, .lost td { background: var(--bed); font-weight: 600; }
.curve-grid { stroke: var(--soft); }
.curve-line { stroke: var(--first); }
.curve-proved { stroke: var(--first); fill: var(--first); }
.curve-mark { stroke: var(--mark); fill: var(--card); }
.curve-word { fill: var(--ink); }
.curve-number { fill: var(--mark); }
@media print {
  :root {
    --page: #fff; --card: #fff; --ink: #000; --soft: #333; --line: #999;
    --first: #1d5a49; --mark: #8a4b00; --bed: #eee; --link: #000;
  }
  article, tr, figure { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  .wide { overflow: visible; }
  .board svg { max-width: 10cm; }
}
"""
