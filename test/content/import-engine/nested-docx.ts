import { zipOf } from './arrange.ts';

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

/** A document in which the numbers choose what is nested in what, with its words. */
export async function nestedDocx(numbers: readonly number[]): Promise<{ bytes: Buffer; words: string[] }> {
  const writer = new Writer(numbers);
  const body = writer.blocks(4);
  const bytes = await zipOf({
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types">
      <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
      <Override PartName="/word/document.xml"
        ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships">
      <Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': `<w:document xmlns:w="${WORD}" xmlns:r="${RELATIONS}"><w:body>${body}</w:body></w:document>`,
    'word/styles.xml': `<w:styles xmlns:w="${WORD}">
      <w:style w:type="paragraph" w:styleId="Heading2"><w:name w:val="heading 2"/></w:style>
      <w:style w:type="paragraph" w:styleId="Code"><w:name w:val="Code"/></w:style></w:styles>`,
    'word/numbering.xml': `<w:numbering xmlns:w="${WORD}"><w:abstractNum w:abstractNumId="1">${[0, 1]
      .map((level) => `<w:lvl w:ilvl="${level}"><w:numFmt w:val="${level === 0 ? 'bullet' : 'decimal'}"/></w:lvl>`)
      .join('')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num></w:numbering>`,
    'word/footnotes.xml': `<w:footnotes xmlns:w="${WORD}">${writer.footnotes.join('')}</w:footnotes>`,
    'word/_rels/document.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships">
      <Relationship Id="rId1" Type="${RELATIONS}/styles" Target="styles.xml"/>
      <Relationship Id="rId2" Type="${RELATIONS}/numbering" Target="numbering.xml"/>
      <Relationship Id="rId3" Type="${RELATIONS}/footnotes" Target="footnotes.xml"/>
      <Relationship Id="rId4" Type="${RELATIONS}/hyperlink" Target="https://example.com/" TargetMode="External"/></Relationships>`,
  });
  return { bytes, words: writer.words };
}

class Writer {
  readonly footnotes: string[] = [];
  readonly words: string[] = [];
  readonly #numbers: readonly number[];
  #at = 0;
  #isInNote = false;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  blocks(depth: number): string {
    return Array.from({ length: 1 + this.#choose(3) }, () => this.#block(depth)).join('');
  }

  #choose(count: number): number {
    this.#at += 1;
    return (this.#numbers[this.#at % this.#numbers.length] ?? 0) % count;
  }

  #word(): string {
    this.words.push(`w${this.words.length}x`);
    return this.words.at(-1) ?? '';
  }

  #block(depth: number): string {
    const kind = this.#choose(depth === 0 ? 4 : 6);
    if (kind >= 4) return this.#table(depth - 1);
    const styles = ['', '<w:pStyle w:val="Heading2"/>', '<w:pStyle w:val="Code"/>'];
    const list = `<w:numPr><w:ilvl w:val="${this.#choose(2)}"/><w:numId w:val="1"/></w:numPr>`;
    return `<w:p><w:pPr>${styles[kind] ?? list}</w:pPr>${this.#runs(kind !== 2)}</w:p>`;
  }

  #runs(canLink: boolean): string {
    const run = (text: string, format = '') => `<w:r><w:rPr>${format}</w:rPr>${text}</w:r>`;
    const word = () => `<w:t xml:space="preserve">${this.#word()} </w:t>`;
    return Array.from({ length: 1 + this.#choose(3) }, () => {
      const kind = this.#choose(canLink ? 6 : 2);
      if (kind === 1) return run(`${word()}<w:br/>${word()}`, '<w:b/>');
      if (kind === 2) return run(word(), '<w:i/><w:vertAlign w:val="superscript"/>');
      if (kind === 3) return `<w:hyperlink r:id="rId4">${run(word())}</w:hyperlink>`;
      if (kind === 4 && !this.#isInNote) return run(word()) + this.#footnote();
      return run(word());
    }).join('');
  }

  #footnote(): string {
    const id = this.footnotes.length + 2;
    this.footnotes.push('');
    this.#isInNote = true;
    this.footnotes[id - 2] = `<w:footnote w:id="${id}">${this.blocks(1)}</w:footnote>`;
    this.#isInNote = false;
    return `<w:r><w:footnoteReference w:id="${id}"/><w:t xml:space="preserve"> </w:t></w:r>`;
  }

  #table(depth: number): string {
    const cell = () => {
      const span = this.#choose(6) === 0 ? '<w:gridSpan w:val="2"/>' : '';
      return `<w:tc><w:tcPr>${span}</w:tcPr>${this.blocks(depth)}</w:tc>`;
    };
    const row = () => `<w:tr>${Array.from({ length: 1 + this.#choose(3) }, cell).join('')}</w:tr>`;
    return `<w:tbl>${Array.from({ length: 1 + this.#choose(3) }, row).join('')}</w:tbl>`;
  }
}
