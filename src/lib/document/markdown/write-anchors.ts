import type { Block } from '../document.ts';
import { attribute } from './write-image-tag.ts';

/** Empty elements with the anchors of a block, for the start of its line or a line of their own. */
export const writeAnchors = ({ anchors = [] }: Pick<Block, 'anchors'>): string =>
  anchors.map((anchor) => `<a${attribute('id', anchor)}></a>`).join('');
