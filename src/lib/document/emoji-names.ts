import { loadWhenUsed } from '../load-when-used.ts';

const github = loadWhenUsed<typeof import('gemoji')>('gemoji');

/** The emoji of a short name as on GitHub, or of those that GitBook has beside them. Other names stay text. */
export function emojiOfName(name: string): string | undefined {
  if (name === 'blue_circle') return '🔵';
  const { nameToEmoji } = github();
  return Object.hasOwn(nameToEmoji, name) ? nameToEmoji[name] : undefined;
}
