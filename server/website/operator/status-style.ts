import { style } from "../../platform/http/page-style.ts";

/** Wider than the forms: it has tables, which scroll by themselves on a narrow screen. */
export const statusStyle = `${style}
main { max-width: 66rem; }
header { display: flex; justify-content: space-between; align-items: start; gap: 1rem; }
header h1 { margin: 0; }
.notice { padding: 0.6rem 0.9rem; border: 1px solid var(--bad); border-radius: 8px; }
.parts { list-style: none; margin: 0.5rem 0 0; padding: 0; }
.parts li { padding: 0.35rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.level { display: inline-block; min-width: 4.6rem; margin-right: 0.4rem; padding: 0 0.5rem; box-sizing: border-box;
  text-align: center; font-size: 0.85rem; border: 1px solid var(--ctl); border-radius: 999px; }
.level.warning, .level.down { color: var(--bad); border-color: var(--bad); font-weight: 550; }
.level.down { border-width: 2px; }
dl { margin: 0.5rem 0 0; }
dl div { display: flex; flex-wrap: wrap; gap: 0 1rem; padding: 0.35rem 0; border-bottom: 1px solid var(--line); }
dt { flex: 0 0 10rem; color: var(--fg2); }
dd { flex: 1 1 14rem; margin: 0; overflow-wrap: anywhere; }
.wide { overflow-x: auto; margin-top: 0.75rem; }
table { border-collapse: collapse; width: 100%; font-size: 0.93rem; }
th, td { padding: 0.4rem 0.7rem 0.4rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { font-weight: 550; color: var(--fg2); white-space: nowrap; }
td { min-width: 4rem; overflow-wrap: break-word; }
.whole { white-space: nowrap; }
.number { text-align: right; white-space: nowrap; }
td button { padding: 0.2rem 0.7rem; white-space: nowrap; }
`;
