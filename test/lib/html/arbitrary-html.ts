import fc from 'fast-check';

/** A piece of HTML. Pieces in a line are apart by a blank; blocks are not. */
interface Piece {
  html: string;
  isBlock: boolean;
}

type Random = (count: number) => number;

const INLINE = [
  'b',
  'i',
  'em',
  'strong',
  'code',
  'a',
  'span',
  'sup',
  'sub',
  'mark',
  'del',
  'kbd',
  'q',
  'u',
  'small',
  'font',
  'label',
];
const BLOCKS =
  'p div h1 h2 h3 h4 blockquote section details figure ul ol dl table pre hint center aside address fieldset'.split(
    ' ',
  );

class Generator {
  readonly #random: Random;
  #words = 0;
  #isInHeading = false;

  constructor(random: Random) {
    this.#random = random;
  }

  content(depth: number): string {
    return this.#joined(Array.from({ length: 1 + this.#random(3) }, () => this.#piece(depth)));
  }

  get words(): string[] {
    return Array.from({ length: this.#words }, (_, at) => `w${at}x`);
  }

  #word(): string {
    this.#words += 1;
    return `w${this.#words - 1}x`;
  }

  #joined(pieces: readonly Piece[]): string {
    return pieces
      .map(({ html, isBlock }, at) => (at > 0 && !isBlock && !pieces[at - 1]?.isBlock ? ` ${html}` : html))
      .join('');
  }

  #piece(depth: number): Piece {
    if (depth === 0 || this.#random(4) === 0) return { html: this.#word(), isBlock: false };
    if (this.#random(3) === 0) return this.#inline(depth - 1);
    return { html: this.#block(depth - 1), isBlock: true };
  }

  #inline(depth: number): Piece {
    if (this.#random(6) === 0) return { html: '<br>', isBlock: true };
    const name = INLINE[this.#random(INLINE.length)];
    const pieces = Array.from({ length: 1 + this.#random(2) }, () => this.#piece(depth));
    const href = name === 'a' ? ' href="https://example.com/x"' : '';
    return {
      html: `<${name}${href}>${this.#joined(pieces)}</${name}>`,
      isBlock: false,
    };
  }

  #block(depth: number): string {
    const name = BLOCKS[this.#random(BLOCKS.length)] ?? 'p';
    const inner = () => this.content(depth);
    // The tag of a heading ends another one.
    if (/^h[1-4]$/.test(name)) {
      if (this.#isInHeading) return `<div>${inner()}</div>`;
      this.#isInHeading = true;
      const heading = `<${name}>${inner()}</${name}>`;
      this.#isInHeading = false;
      return heading;
    }
    switch (name) {
      case 'ul':
      case 'ol':
        return `<${name}>${this.#some(() => `<li>${inner()}</li>`)}</${name}>`;
      case 'dl':
        return `<dl>${this.#some(() => `<dt>${inner()}</dt><dd>${inner()}</dd>`)}</dl>`;
      case 'details':
        return `<details><summary>${inner()}</summary>${inner()}</details>`;
      case 'figure':
        return `<figure><img src="a.png" alt="">${this.#random(2) === 0 ? inner() : ''}<figcaption>${inner()}</figcaption></figure>`;
      case 'hint':
        return `<div class="admonition note"><p class="admonition-title">${this.#word()}</p>${inner()}</div>`;
      case 'pre':
        return `<pre>${this.#word()}\n\n${this.#word()}<div>${this.#word()}</div>${this.#word()}</pre>`;
      case 'table':
        return this.#table(inner);
      default:
        return `<${name}>${inner()}</${name}>`;
    }
  }

  #table(inner: () => string): string {
    const caption = this.#random(4) === 0 ? `<caption>${inner()}</caption>` : '';
    const columns = 1 + this.#random(3);
    const span = () =>
      this.#random(6) === 0 ? ` ${this.#random(2) === 0 ? 'col' : 'row'}span="${1 + this.#random(3)}"` : '';
    const row = (tag: string) =>
      `<tr>${Array.from({ length: columns }, () => `<${tag}${span()}>${inner()}</${tag}>`).join('')}</tr>`;
    const head = this.#random(2) === 0 ? `<thead>${row('th')}</thead>` : '';
    return `<table>${caption}${head}${this.#some(() => row('td'))}</table>`;
  }

  #some(make: () => string): string {
    return Array.from({ length: 1 + this.#random(2) }, make).join('');
  }
}

/** HTML in which anything is nested in anything, with its words in their order. */
export const anyHtml = fc.array(fc.nat(), { minLength: 200, maxLength: 400 }).map((numbers) => {
  let at = 0;
  const generator = new Generator((count) => (numbers[at++ % numbers.length] ?? 0) % count);
  const html = generator.content(4);
  return { html, words: generator.words };
});
