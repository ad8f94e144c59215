import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { parseAst } from 'vitest/node';

// The build in JavaScript: it gives the same verdicts on every system.
vi.stubEnv('RECHECK_BACKEND', 'pure');
const { checkSync } = await import('recheck');

const SRC = join(import.meta.dirname, '..', '..', 'src');

/**
 * The version of the checker, and the literals that it has called linear, one a line. A verdict depends on nothing else
 * and takes up to seconds, so only literals that are not listed are judged.
 */
const LINEAR = join(import.meta.dirname, 'linear-expressions.txt');
const WRITE = 'EXPRESSIONS=write npx vitest run test/structure/expressions.test.ts';
const CHECKER = `recheck ${createRequire(import.meta.url)('recheck/package.json').version}`;

/** A regular expression of the source: a literal, or a call of `RegExp`, of which only the text is known. */
interface Found {
  file: string;
  text: string;
  literal?: { pattern: string; flags: string };
}

/**
 * Expressions that the checker does not call linear, or cannot judge, each with what bounds its time all the same. A
 * line that no expression of the source matches is a fault.
 */
const REVIEWED: readonly [file: string, text: string, reason: string][] = [
  [
    'platform/shapes/web-address.ts',
    'new RegExp(',
    'one class repeated, then "#" and the class again: no two ways to match',
  ],
  ['platform/http/allowed-methods.ts', 'new RegExp(', 'made of our own routes: segments between slashes, anchored'],
  ['platform/http/security-headers.ts', 'new RegExp(', 'reads pages of our own, once at the start'],
  ['platform/http/pages/handbook.ts', '(?<title>', "reads the handbook's own list of pages, once at the start"],
  ['platform/http/pages/handbook.ts', '/<h1.*?<\\/h1>/s', "reads the handbook's own pages, once at the start"],
  ['lib/foreign-formats/colon-containers.ts', '(:{3,})', 'reads lines of up to 2,000 characters'],
  ['lib/foreign-formats/editor-markdown.ts', '!\\[([^[', 'reads lines of up to 2,000 characters'],
  ['lib/foreign-formats/editor-markdown.ts', '(\\[[^[', 'reads lines of up to 2,000 characters'],
  ['lib/translation/placeholders.ts', 'https?|ftps?', 'a try takes at most 2,000 characters'],
  ['lib/translation/placeholders.ts', '[$%]', 'a try takes at most 200 characters'],
  ['lib/translation/placeholders.ts', 'new RegExp(', 'one of the expressions above it, each of which is bounded'],
  ['lib/foreign-formats/fence.ts', '~{3,}', 'reads lines of up to 2,000 characters'],
  ['lib/foreign-formats/hint.ts', '#{1,6}[ \\t].*?', 'reads lines of up to 2,000 characters'],
  ['lib/foreign-formats/mdx-modules.ts', '/^import\\s+(?:', 'reads lines of up to 2,000 characters'],
  ['lib/foreign-formats/mkdocs-markdown.ts', '\\bmarkdown\\b', 'reads lines of up to 2,000 characters'],
  [
    'lib/foreign-formats/mkdocs-inline.ts',
    '(?:[#.]',
    'begins with a brace, and takes at most 700 characters up to the next one',
  ],
  ['lib/foreign-formats/mkdocs-inline.ts', '(?<sign>', 'takes at most 300 characters after a sign of emphasis'],
  ['lib/foreign-formats/mkdocs-inline.ts', '\\[\\]\\(\\)', 'takes at most 400 characters up to the next brace'],
  ['lib/foreign-formats/mkdocs-inline.ts', '\\[=', 'takes at most 230 characters'],
  ['lib/foreign-formats/mkdocs-markdown.ts', '{0,200})$', 'anchored, and takes at most 300 characters'],
  ['lib/foreign-formats/myst.ts', '(?:`{3}|~{3}|:{3})\\{', 'a try takes at most 100 characters'],
  ['lib/foreign-formats/mkdocs-inline.ts', 'new RegExp(', 'made of the two above, each behind a character of its own'],
  ['lib/foreign-formats/mkdocs-abbreviations.ts', '^ {0,3}', 'reads lines of up to 2,000 characters'],
  [
    'lib/foreign-formats/mkdocs-abbreviations.ts',
    '[^[\\]]{0,1000}',
    'a try ends at the next bracket, where the next one begins',
  ],
  ['lib/foreign-formats/masks.ts', 'new RegExp(', 'a run of backticks, or a copy of a literal'],
  ['lib/foreign-formats/mdx.ts', '(?:title|filename)', 'reads the first 1,000 characters of a line'],
  ['lib/foreign-formats/mdx.ts', '(?:theme|lines|wrap|icon)', 'reads the first 1,000 characters of a line'],
  ['lib/foreign-formats/myst.ts', '(`{3,}|~{3,}|:{3,})', 'reads lines of up to 2,000 characters'],
  ['lib/foreign-formats/myst.ts', '^[ \\t]*:(', 'reads the first 2,000 characters of a line'],
  ['lib/foreign-formats/myst.ts', '^(.*?)', 'reads a text of up to 500 characters'],
  [
    'lib/document/markdown/syntax/syntax-dollars.ts',
    '{1,1000}',
    'a try takes at most 2,000 characters and ends at the next dollar',
  ],
  ['lib/foreign-formats/mkdocs-markdown.ts', '(\\/{3,})', 'reads lines of up to 2,000 characters'],
  ['lib/html/decode.ts', '/<meta[^>]+charset=["\']?([\\w:.-]+)/i', 'reads the first 1,024 bytes of a file'],
  ['lib/search/fold.ts', 'new RegExp(', 'one class of fixed letters'],
  [
    'lib/foreign-formats/notion.ts',
    '/ ?[0-9a-f]{32}(?=(?:_all)?(?:\\.\\w+)?$)/i',
    'reads a name in a path of 1,024 characters',
  ],
  [
    'lib/foreign-formats/notion.ts',
    '/[ -]?[0-9a-f]{32}(?:_all)?\\.(?:md|html|csv)$/i',
    'nothing in it repeats without a bound',
  ],
  ['lib/document/emoji.ts', '\\p{RGI_Emoji}/gv', 'a finite set of sequences of at most ten characters'],
  ['lib/document/emoji.ts', '/^\\p{RGI_Emoji}$/v', 'a finite set of sequences of at most ten characters'],
  [
    'lib/document/markdown/read/document-tree.ts',
    '/^[ \\t>*+-]*\\[(\\^?)([^\\][\\n]{1,999})\\]:/',
    'anchored; no part can take what another does',
  ],
  [
    'lib/document/markdown/read/document-tree.ts',
    '/\\[(\\^?)([^\\][\\n]{1,999})\\]/g',
    'a try ends at the next bracket, where the next one begins',
  ],
  [
    'lib/document/markdown/fast-path/common-blocks.ts',
    'new RegExp(`^ {0,3}[',
    'anchored: a run of one character, then white space',
  ],
  [
    'lib/document/markdown/read/source-lines.ts',
    'new RegExp(`^ {0,3}[',
    'anchored: a run of one character, then white space',
  ],
  [
    'lib/document/markdown/read/source-lines.ts',
    'new RegExp(`^ {0,3}\\\\$',
    'anchored: a run of one character, then white space',
  ],
];

type Node = Record<string, unknown>;

const isPattern = (value: unknown): value is { pattern: string; flags: string } =>
  typeof value === 'object' && value !== null && 'pattern' in value && 'flags' in value;

const isNamed = (value: unknown, name: string): boolean =>
  typeof value === 'object' && value !== null && 'name' in value && value.name === name;

const found = globSync('**/*.ts', { cwd: SRC }).flatMap(expressionsIn);

test('every regular expression takes time that grows with the text, or is bounded otherwise', {
  timeout: 300_000,
}, () => {
  const [checker, ...listed] = readFileSync(LINEAR, 'utf8').trim().split('\n');
  const isWriting = process.env.EXPRESSIONS === 'write';
  const known = new Set(checker === CHECKER && !isWriting ? listed : []);
  const judged = new Map<string, string | undefined>();
  const faults = found
    .filter((each) => !isReviewed(each))
    .flatMap(({ file, text, literal }) => {
      if (!judged.has(text)) {
        judged.set(text, literal ? (known.has(text) ? undefined : faultOf(literal)) : 'is made at run time: review it');
      }
      const fault = judged.get(text);
      return fault === undefined ? [] : [`${file}: ${text} ${fault}`];
    });
  expect(faults).toEqual([]);
  const linear = [CHECKER, ...[...judged.keys()].filter(repeats).sort()];
  if (isWriting) writeFileSync(LINEAR, `${linear.join('\n')}\n`);
  else expect([checker, ...listed], `Linear expressions have changed. Write them: ${WRITE}`).toEqual(linear);
});

test('reviewed expressions still exist', () => {
  const gone = REVIEWED.filter(([file, text]) => !found.some((each) => each.file === file && each.text.includes(text)));
  expect(gone).toEqual([]);
});

test('the checker finds known vulnerable expressions', () => {
  expect(found.length).toBeGreaterThan(300);
  expect(faultOf({ pattern: '/+$', flags: '' })).toContain('polynomial');
  expect(faultOf({ pattern: ' Did you mean [^?]*\\?$', flags: '' })).toContain('polynomial');
  expect(faultOf({ pattern: '^(a+)+$', flags: '' })).toContain('exponential');
  expect(faultOf({ pattern: '^[a-z]+$', flags: 'i' })).toBeUndefined();
});

function isReviewed({ file, text }: Found): boolean {
  return REVIEWED.some(([inFile, part]) => file === inFile && text.includes(part));
}

/** What repeats nothing takes at most its own length at each place of a text. */
const repeats = (pattern: string) => /[*+]|\{\d+,/.test(pattern);

/** What is wrong with a pattern. */
function faultOf({ pattern, flags }: { pattern: string; flags: string }): string | undefined {
  if (!repeats(pattern)) return undefined;
  const verdict = checkSync(pattern, flags, { timeout: 60_000, randomSeed: 1 });
  if (verdict.status === 'safe') return undefined;
  return verdict.status === 'vulnerable' ? `is ${verdict.complexity.summary}` : `was not judged: ${verdict.error.kind}`;
}

function expressionsIn(file: string): Found[] {
  const source = readFileSync(join(SRC, file), 'utf8');
  return nodesIn(parseAst(source, { lang: 'ts' })).flatMap((node): Found[] => {
    const text = source.slice(Number(node.start), Number(node.end));
    if (isPattern(node.regex)) return [{ file, text, literal: node.regex }];
    const isCall = node.type === 'NewExpression' || node.type === 'CallExpression';
    return isCall && isNamed(node.callee, 'RegExp') ? [{ file, text }] : [];
  });
}

function nodesIn(root: unknown): Node[] {
  const nodes: Node[] = [];
  const pending = [root];
  for (let each = pending.pop(); pending.length > 0 || each !== undefined; each = pending.pop()) {
    if (typeof each !== 'object' || each === null) continue;
    if ('type' in each) nodes.push(each as Node); // an object with members
    pending.push(...Object.values(each));
  }
  return nodes;
}
