import { hashOf } from '../../../../lib/canonical.ts';
import type { Phrasing } from '../../../../lib/document/document.ts';
import { textOfLine } from '../../../../lib/document/plain-text.ts';
import type { Segment } from '../../../../lib/translation/cut-line.ts';

/** A person's text for a segment, or for a whole line of text. */
export interface Edit {
  line: string;
  /** Position of the segment in its line. Null for the whole line. */
  segment: number | null;
  /** The text that was translated: of the segment, or of all segments of the line. */
  source: string;
  nodes: Phrasing[];
}

/** An edit, and what its place has now. */
export interface OutdatedEdit extends Edit {
  newSource: string | null;
}

/** The source of a line as one text. */
export const sourceOfLine = (segments: readonly Segment[]): string =>
  segments.map(({ text, before, after }) => before + text + after).join('');

/** The edits of people in a page. An edit is used only where its source is as it was. */
export class PageEdits {
  readonly #byLine: ReadonlyMap<string, readonly Edit[]>;
  /** The same for the same edits. */
  readonly fingerprint: string;

  constructor(edits: readonly Edit[]) {
    this.#byLine = Map.groupBy(edits, ({ line }) => line);
    this.fingerprint = hashOf(edits);
  }

  /** A person's text for a whole line, if the line has not changed. */
  lineFor(line: string, segments: readonly Segment[]): Phrasing[] | undefined {
    const lineEdit = this.#byLine.get(line)?.find(({ segment }) => segment === null);
    return lineEdit?.source === sourceOfLine(segments) ? lineEdit.nodes : undefined;
  }

  /** A person's text for a segment, if the segment has not changed. It may have another position in its line. */
  segmentFor(line: string, index: number, text: string): Phrasing[] | undefined {
    const same = this.#byLine.get(line)?.filter(({ segment, source }) => segment !== null && source === text);
    return (same?.find(({ segment }) => segment === index) ?? same?.[0])?.nodes;
  }

  /** A person's text for a text field, if its source has not changed. */
  textFor(line: string, segments: readonly Segment[]): string | undefined {
    const nodes = this.lineFor(line, segments);
    return nodes && textOfLine(nodes);
  }

  /** Edits whose source is no longer in the lines. */
  outdatedIn(lines: ReadonlyMap<string, readonly Segment[]>): OutdatedEdit[] {
    return [...this.#byLine.values()].flat().flatMap((edit): OutdatedEdit[] => {
      const segments = lines.get(edit.line);
      if (!segments) return [{ ...edit, newSource: null }];
      if (edit.segment === null) {
        const source = sourceOfLine(segments);
        return source === edit.source ? [] : [{ ...edit, newSource: source }];
      }
      if (segments.some(({ text }) => text === edit.source)) return [];
      return [{ ...edit, newSource: segments[edit.segment]?.text ?? sourceOfLine(segments) }];
    });
  }
}
