import { createCssVariablesTheme, createHighlighterCore } from '@shikijs/core';
import { createJavaScriptRegexEngine } from '@shikijs/engine-javascript';

/** Grammars by the names of Markdown. Each is loaded when code needs it. */
const GRAMMARS = {
  bash: () => import('@shikijs/langs/bash'),
  css: () => import('@shikijs/langs/css'),
  go: () => import('@shikijs/langs/go'),
  graphql: () => import('@shikijs/langs/graphql'),
  html: () => import('@shikijs/langs/html'),
  java: () => import('@shikijs/langs/java'),
  json: () => import('@shikijs/langs/json'),
  python: () => import('@shikijs/langs/python'),
  rust: () => import('@shikijs/langs/rust'),
  sql: () => import('@shikijs/langs/sql'),
  tsx: () => import('@shikijs/langs/tsx'),
  yaml: () => import('@shikijs/langs/yaml'),
};
const ALIASES = { sh: 'bash', shell: 'bash', js: 'tsx', javascript: 'tsx', ts: 'tsx', typescript: 'tsx', yml: 'yaml' };

// `document.css` has the colors, for both color schemes.
const theme = createCssVariablesTheme({ name: 'variables' });
const engine = createJavaScriptRegexEngine();
const highlighter = createHighlighterCore({ themes: [theme], langs: [], engine });

/** The lines of code in parts with their colors. Undefined in languages without a grammar. */
export async function highlight(code: string, syntax: string) {
  const lang = { ...ALIASES }[syntax as 'sh'] ?? syntax;
  const grammar = await GRAMMARS[lang as 'bash']?.();
  if (!grammar) return undefined;
  await (await highlighter).loadLanguage(grammar.default);
  // The first lines of a language take long: its expressions are compiled with them.
  return (await highlighter).codeToTokensBase(code, { lang, theme: 'variables', tokenizeTimeLimit: 5_000 });
}
