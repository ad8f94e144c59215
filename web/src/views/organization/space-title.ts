import { emojiOf } from '../../app/format.ts';

export const spaceTitle = ({ title, emoji }: { title: string; emoji: string }) =>
  `${emojiOf(emoji)} ${title || 'Untitled'}`.trim();
