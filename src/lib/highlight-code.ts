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
/**
 * Time for a line in milliseconds. The first lines of a language take long, since its expressions are compiled with
 * them.
 */
const MAX_LINE_MS = 5_000;
const MAX_LANGUAGES = 40;

/** A highlighter with the languages that it knows so far. Compiling their expressions takes most of the time. */
interface Kept {
  highlighter: HighlighterCore;
  languages: Set<string>;
}

/** By the name of the theme. Each worker has its own. */
const highlighters = new Map<string, Kept>();

/**
 * Highlights code in these languages, as Markdown names them. Unknown ones are printed in one color. Up to 40 languages
 * are kept; a call that needs more drops the others, so that calls of one theme must not overlap.
 */
export async function highlighterFor(
  syntaxes: ReadonlySet<string>,
  theme: ThemeRegistrationAny & { name: string },
): Promise<Highlight> {
  const names = [...new Set([...syntaxes].flatMap((syntax) => nameOf(syntax) ?? []))].slice(0, MAX_LANGUAGES);
  if (names.length === 0) return () => undefined;
  const { highlighter, languages } = await keptFor(names, theme);
  for (const name of names) {
    if (languages.has(name)) continue;
    const loaded = await languageNamed(name);
    if (!loaded) continue;
    await highlighter.loadLanguage(...loaded);
    languages.add(name);
  }
  return withLimits(highlighter, languages, theme.name);
}

async function keptFor(names: readonly string[], theme: ThemeRegistrationAny & { name: string }): Promise<Kept> {
  const cached = highlighters.get(theme.name);
  if (cached && new Set([...cached.languages, ...names]).size <= MAX_LANGUAGES) return cached;
  cached?.highlighter.dispose();
  const highlighter = await createHighlighterCore({
    themes: [theme],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  const created = { highlighter, languages: new Set<string>() };
  highlighters.set(theme.name, created);
  return created;
}

function withLimits(highlighter: HighlighterCore, languages: ReadonlySet<string>, theme: string): Highlight {
  let remaining = MAX_TOTAL;
  let spentMs = 0;
  return (code, syntax) => {
    const name = nameOf(syntax);
    if (name === undefined || !languages.has(name) || code.length > Math.min(MAX_BLOCK, remaining)) return undefined;
    if (spentMs > MAX_MS) return undefined;
    remaining -= code.length;
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
