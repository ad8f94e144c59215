/** The layout of the reference: contents beside the text, below it on phones. */
export const REFERENCE_STYLE = `
header { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1.25rem; padding: .625rem 1.25rem; border-bottom: 1px solid var(--line); }
form { display: flex; gap: .5rem; margin-left: auto; }
input, button { padding: .375rem .75rem; border: 1px solid var(--line); border-radius: .375rem; background: var(--raised); color: inherit; font: inherit; min-width: 0; }
input { width: 18rem; }
.columns { max-width: 80rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; display: grid; gap: 1.5rem 3rem; }
nav { font-size: .9375rem; border-top: 1px solid var(--line); padding-top: 1rem; }
nav ul { margin: 0; padding: 0; list-style: none; }
nav ul ul { padding: 0 0 .5rem .75rem; }
nav li { padding: .125rem 0; }
nav a { text-decoration: none; }
nav [aria-current] { font-weight: 600; color: var(--text); }
.jump { font-size: .9375rem; }
@media (min-width: 56rem) {
  .columns { grid-template-columns: 15rem minmax(0, 1fr); }
  nav { order: -1; border: 0; padding: 0; position: sticky; top: 1rem; max-height: calc(100vh - 2rem); overflow-y: auto; align-self: start; }
  .jump { display: none; }
}
@media (max-width: 56rem) {
  form { order: 1; width: 100%; margin: 0; }
  input { flex: 1; }
  .jump { margin-left: auto; }
}
main { min-width: 0; max-width: 56rem; }
h1 { margin-top: 0; line-height: 1.25; text-wrap: balance; }
h1 small { color: var(--soft); font-size: 1rem; font-weight: 400; }
h2 { margin-top: 2rem; line-height: 1.3; }
pre, table { display: block; overflow-x: auto; }
pre { padding: .875rem 1rem; border-radius: .5rem; background: var(--raised); }
code { font-size: .9em; }
:not(pre) > code { overflow-wrap: break-word; }
td:first-child { min-width: 9rem; max-width: 18rem; }
td:first-child code { overflow-wrap: anywhere; }
table { border-collapse: collapse; }
th, td { padding: .375rem .75rem .375rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
.operations { padding: 0; list-style: none; }
.operations li { display: flex; flex-wrap: wrap; gap: 0 1rem; justify-content: space-between; padding: .375rem 0; border-bottom: 1px solid var(--line); }
.operations code { color: var(--soft); }
.names { columns: 16rem; padding: 0; list-style: none; overflow-wrap: anywhere; }
`;
