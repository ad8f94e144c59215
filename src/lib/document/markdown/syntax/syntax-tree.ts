import type { Literal, RootContent } from 'mdast';
import { type CompileContext, type Extension, fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import type { Construct, ConstructRecord, Extension as Syntax, Token } from 'micromark-util-types';
import { trimOf } from '../../../trim-characters.ts';
import { cjkSyntax } from './syntax-cjk.ts';
import { dollarText } from './syntax-dollars.ts';
import { emojiName, emojiNameStart } from './syntax-emoji.ts';
import { dollar, mathFlow, mathText } from './syntax-math.ts';
import { blockTag, blockTagStart } from './syntax-tag.ts';

/** A line of `{% … %}`; the value is the whole line. */
interface BlockTagNode extends Literal {
  type: 'blockTag';
}
interface MathNode extends Literal {
  type: 'math' | 'inlineMath';
}
/** `:name:`; the value is the name. */
interface EmojiNameNode extends Literal {
  type: 'emojiName';
}

declare module 'mdast' {
  interface RootContentMap {
    blockTag: BlockTagNode;
    math: MathNode;
    emojiName: EmojiNameNode;
  }
  interface PhrasingContentMap {
    inlineMath: MathNode;
    emojiName: EmojiNameNode;
  }
}

const ownSyntax: Syntax = {
  flow: { [blockTagStart]: blockTag, [dollar]: mathFlow },
  text: { [dollar]: [mathText, dollarText], [emojiNameStart]: emojiName },
};

const ownTree: Extension = {
  enter: {
    blockTag: entering('blockTag'),
    mathFlow: entering('math'),
    mathText: entering('inlineMath'),
    emojiName: entering('emojiName'),
    dollarText(token) {
      this.config.enter.data?.call(this, token);
    },
  },
  exit: {
    dollarText(token) {
      this.config.exit.data?.call(this, token);
    },
    blockTag: exiting((source) => source),
    mathFlow: exiting(withoutFences),
    mathText: exiting((source) => trimOf(source, '$')),
    emojiName: exiting((source) => source.slice(1, -1)),
  },
};

/** Extensions are merged with the defaults for every text, so they have as few entries as possible. */
const withAutolinks = [gfm(), ownSyntax];

/** Without the search for URLs and e-mail addresses at every word, which doubles the time of a short text. */
const withoutAutolinks = [{ ...gfm(), text: textWithoutAutolinks() }, ownSyntax];

function textWithoutAutolinks(): ConstructRecord {
  const entries = Object.entries(gfm().text ?? {}).map(([code, constructs]): [string, Construct[]] => [
    code,
    [constructs ?? []].flat().filter(({ name }) => !name?.endsWith('Autolink')),
  ]);
  return Object.fromEntries(entries.filter(([, constructs]) => constructs.length > 0));
}

/** Every autolink literal contains one of these (GFM, 6.9). */
const MAY_HAVE_AUTOLINKS = /@|:\/\/|www\./i;

/**
 * The transforms of these extensions search for URLs in unescaped text, so an escaped URL would become a link. The
 * tokenizer finds URLs before.
 */
const tree = combined([...gfmFromMarkdown(), ownTree]);

function combined(extensions: readonly Extension[]): Extension {
  return {
    enter: Object.assign({}, ...extensions.map(({ enter }) => enter)),
    exit: Object.assign({}, ...extensions.map(({ exit }) => exit)),
    canContainEols: extensions.flatMap(({ canContainEols }) => canContainEols ?? []),
  };
}

/** CommonMark with GFM, block tags, formulas and emoji names. Positions refer to the given text. */
export function syntaxTree(markdown: string): RootContent[] {
  const extensions = MAY_HAVE_AUTOLINKS.test(markdown) ? withAutolinks : withoutAutolinks;
  return fromMarkdown(markdown, { extensions: [...extensions, ...cjkSyntax(markdown)], mdastExtensions: [tree] })
    .children;
}

type OwnNode = BlockTagNode | MathNode | EmojiNameNode;

function entering(type: OwnNode['type']) {
  return function enter(this: CompileContext, token: Token): undefined {
    this.enter({ type, value: '' } as OwnNode, token); // the type is part of the union
  };
}

function exiting(contentIn: (source: string) => string) {
  return function exit(this: CompileContext, token: Token): undefined {
    const node = this.stack.at(-1);
    if (node && 'value' in node) node.value = contentIn(this.sliceSerialize(token));
    this.exit(token);
  };
}

function withoutFences(source: string): string {
  const lines = source.split('\n');
  const size = /^\$*/.exec(lines.shift() ?? '')?.[0].length ?? 0;
  const closing = /^[ \t]*(\$+)[ \t]*$/.exec(lines.at(-1) ?? '');
  if (closing?.[1] && closing[1].length >= size) lines.pop();
  return lines.join('\n');
}
