import type { Block } from '../../../../lib/document/document.ts';
import { documentOf } from '../../../../lib/document/empty.ts';
import { countCells, isWithinSize, MAX_CELLS, sizeOf } from '../../../../lib/document/size.ts';
import { MAX_BODY_SIZE } from '../../../store/bodies/index.ts';

/** Collects blocks up to the size that every body may have. Further ones are left out. */
export class LimitedBlocks {
  readonly blocks: Block[] = [];
  readonly #size = { values: 0, characters: 0, depth: 0 };
  #cells = 0;

  /** Whether a block was left out, so that further ones are left out too. */
  get isFull(): boolean {
    return !isWithinSize(this.#size, MAX_BODY_SIZE) || this.#cells > MAX_CELLS;
  }

  add(blocks: readonly Block[]): void {
    for (const block of blocks) {
      const { values, characters } = sizeOf(block, MAX_BODY_SIZE);
      this.#size.values += values;
      this.#size.characters += characters;
      this.#cells += countCells(documentOf([block]));
      if (this.isFull) return;
      this.blocks.push(block);
    }
  }
}
