import { nameToEmoji } from 'gemoji';

/** Short names of emoji as on GitHub, and those that GitBook has beside them, each with its emoji. Other names stay text. */
export const emojiNames: ReadonlyMap<string, string> = new Map([...Object.entries(nameToEmoji), ['blue_circle', '🔵']]);
