import { loadWhenUsed } from '../load-when-used.ts';

const github = loadWhenUsed<typeof import('gemoji')>('gemoji');

/** The emoji of a short name of GitHub, or of the additional ones of GitBook. Other names stay text. */
export function emojiOfName(name: string): string | undefined {
  if (name === 'blue_circle') return '🔵';
  const { nameToEmoji } = github();
  return Object.hasOwn(nameToEmoji, name) ? nameToEmoji[name] : undefined;
}

/** The short name that GitHub prefers for an emoji. Undefined if there is none. */
export function nameOfEmoji(emoji: string): string | undefined {
  const { emojiToName } = github();
  return Object.hasOwn(emojiToName, emoji) ? emojiToName[emoji] : undefined;
}
