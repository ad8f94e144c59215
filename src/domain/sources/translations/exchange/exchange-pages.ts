import type { SegmentPair } from '../../../../lib/translation/align.ts';
import type { Segment } from '../../../../lib/translation/cut-line.ts';
import { type ExchangePage, type ExchangeUnit, unitId } from '../../../../lib/translation/exchange-unit.ts';
import { type Glossary, termsIn } from '../../../../lib/translation/glossary.ts';
import type { PageEdits } from '../edits/page-edits.ts';
import type { AlignedPage } from './align-pages.ts';

/** A page for exchange: people's texts are `reviewed`, and segments without a translation are `initial`. */
export function exchangePage(
  { pageId, path, lines }: AlignedPage,
  { edits, glossary }: { edits: PageEdits | undefined; glossary: Glossary },
): ExchangePage {
  const units = lines.flatMap(({ line, source, pairs }) =>
    pairs.map(
      (pair): ExchangeUnit => ({
        id: unitId(line, pair.segment),
        source: pair.source,
        target: pair.target,
        state: stateOf(line, source, pair, edits),
        notes: notesOf(pair, glossary),
      }),
    ),
  );
  return { pageId, path, units };
}

function stateOf(
  line: string,
  segments: readonly Segment[],
  { segment, source, target }: SegmentPair,
  edits: PageEdits | undefined,
): ExchangeUnit['state'] {
  const isEdited = edits?.lineFor(line, segments) ?? (segment !== null && edits?.segmentFor(line, segment, source));
  if (isEdited) return 'reviewed';
  return target === source ? 'initial' : 'translated';
}

function notesOf({ source, target }: SegmentPair, glossary: Glossary): string[] {
  const terms = termsIn(source, glossary).map(({ term, translation }) => `Glossary: ${term} = ${translation}`);
  const other = 'The translation has other marks, links or code than the source. It is kept unless a target is added.';
  return target === undefined ? [...terms, other] : terms;
}
