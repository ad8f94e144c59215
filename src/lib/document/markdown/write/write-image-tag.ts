import type { Blocks, Inlines } from '../../document.ts';
import { printLength } from '../attribute-values.ts';
import { escapeAttribute } from '../entities.ts';
import type { WriteContext } from './write-context.ts';

type ImageData = Blocks['image']['data'] & Pick<Inlines['inline-image']['data'], 'caption' | 'size'>;

/** `<img>`, in a `<picture>` if it has a dark variant. With `isKept` it is always an inline. */
export function imageTag(data: ImageData, ctx: WriteContext, isKept = false): string {
  const { ref, refDark, width, height, alt, caption, size } = data;
  const attributes: [string, string | undefined][] = [
    ['src', ctx.urlOf(ref)],
    ['alt', alt ?? ''],
    ['width', width === undefined ? undefined : printLength(width)],
    ['height', height === undefined ? undefined : printLength(height)],
    ['data-caption', caption],
    ['data-size', size ?? (isKept ? '' : undefined)],
  ];
  const img = `<img${attributes.map(([name, value]) => writeAttribute(name, value)).join('')}>`;
  if (!refDark) return img;
  const source = writeAttribute('srcset', ctx.urlOf(refDark));
  return `<picture><source${source} media="(prefers-color-scheme: dark)">${img}</picture>`;
}

export function writeAttribute(name: string, value: string | undefined): string {
  return value === undefined ? '' : ` ${name}="${escapeAttribute(value)}"`;
}
