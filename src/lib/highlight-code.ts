import {
  createHighlighterCore,
  type HighlighterCore,
  type LanguageRegistration,
  type ThemeRegistrationAny,
} from '@shikijs/core';
import { createJavaScriptRegexEngine } from '@shikijs/engine-javascript';

/** A part of a line of code. */
export interface CodePart {
  text: string;
  /** The color that the theme gives it. */
  color?: string;
}

/** The lines of code in parts with their colors. Undefined for code that is not highlighted. */
export type Highlight = (code: string, syntax: string | undefined) => CodePart[][] | undefined;

/** Longer blocks, and blocks beyond the total, are printed in one color: matching takes time. */
const MAX_BLOCK = 20_000;
const MAX_TOTAL = 1_000_000;
const MAX_MS = 30_000;
const MAX_LINE = 300;
/** Time for a line in milliseconds. The first lines of a language take long, since its expressions are compiled with them. */
const MAX_LINE_MS = 5_000;
const MAX_LANGUAGES = 40;

/** Highlights code in these languages, as Markdown names them. Unknown ones are printed in one color. */
export async function highlighterFor(
  syntaxes: ReadonlySet<string>,
  theme: ThemeRegistrationAny & { name: string },
): Promise<Highlight> {
  const names = [...syntaxes].map(nameOf).filter((name) => name !== undefined);
  const languages = new Map<string, LanguageRegistration[]>();
  for (const name of new Set(names.slice(0, MAX_LANGUAGES))) {
    const loaded = await languageNamed(name);
    if (loaded) languages.set(name, loaded);
  }
  if (languages.size === 0) return () => undefined;
  const highlighter = await createHighlighterCore({
    themes: [theme],
    langs: [...languages.values()],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  return withLimits(highlighter, languages, theme.name);
}

function withLimits(highlighter: HighlighterCore, languages: ReadonlyMap<string, unknown>, theme: string): Highlight {
  let left = MAX_TOTAL;
  let spentMs = 0;
  return (code, syntax) => {
    const name = nameOf(syntax);
    if (name === undefined || !languages.has(name) || code.length > Math.min(MAX_BLOCK, left)) return undefined;
    if (spentMs > MAX_MS) return undefined;
    left -= code.length;
    const begun = performance.now();
    const lines = highlighter.codeToTokensBase(code, {
      lang: name,
      theme,
      tokenizeMaxLineLength: MAX_LINE,
      tokenizeTimeLimit: MAX_LINE_MS,
    });
    spentMs += performance.now() - begun;
    return lines.map((line) => line.map(({ content, color }) => ({ text: content, ...(color && { color }) })));
  };
}

const nameOf = (syntax: string | undefined): string | undefined => {
  const name = syntax?.toLowerCase().trim();
  return name !== undefined && /^[a-z0-9][a-z0-9+#-]{0,30}$/.test(name) ? name : undefined;
};

/** Each language is a module of the package, and so is each of its other names. */
async function languageNamed(name: string): Promise<LanguageRegistration[] | undefined> {
  try {
    return ((await import(`@shikijs/langs/${name}`)) as { default: LanguageRegistration[] }).default;
  } catch {
    return undefined;
  }
}
