import { namedEnum } from '../../../platform/named-enum.ts';

export const blockChangeKind = namedEnum('BlockChangeKind', 'What became of a block of a body.', {
  added: 'It is new.',
  edited: 'It says something else; it may have moved too.',
  moved: 'It stands at another place.',
  deleted: 'It is gone.',
});

export const wordChange = namedEnum('WordChange', 'What became of words of a line.', {
  same: 'They stayed.',
  added: 'They are new.',
  deleted: 'They are gone.',
});
