import type { Content } from 'pdfmake/interfaces.d.ts';
import { LINE_SIDES, lineBox } from './boxes.ts';
import { type PdfLinkTarget, type PdfPrinting, withinWidth } from './context.ts';
import { labelWithSign, signRuns } from './icons.ts';
import { plainRuns } from './runs.ts';
import { INK, LINK } from './styles.ts';

/** A link in a frame, with an icon or emoji before its label. */
export function linkBox(
  printing: PdfPrinting,
  { label, ...sign }: { label: string; icon: string; emoji?: string },
  link: PdfLinkTarget,
): Content {
  const isLink = Object.keys(link).length > 0;
  const inner = withinWidth(printing, printing.width - LINE_SIDES);
  const text = labelWithSign(
    inner,
    signRuns(inner, sign, { ...link, color: INK.grey }),
    plainRuns(inner, label, { ...link, ...(isLink && { color: LINK }) }),
  );
  return lineBox([{ text }], printing.width);
}
