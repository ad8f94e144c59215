import { unescapeXml } from '../unescape-xml.ts';

/** The question of a conversation, from its messages. */
export interface ConversationQuestion {
  title: string;
  summary: string;
  /** All that the visitor has written, as far as it is compared. */
  text: string;
}

const MAX_TEXT = 2_000;
const MAX_SUMMARY = 300;
const MAX_TITLE = 100;

/** Characters of a message that are read. */
const MAX_READ = 20_000;

/** The question of a conversation with a subject and the messages of the visitor, all possibly in Markdown or HTML. */
export function questionOf(subject: string | null, messages: readonly string[]): ConversationQuestion {
  const topic = plain(subject ?? '');
  let text = topic;
  let first = '';
  for (const message of messages) {
    if (text.length >= MAX_TEXT) break;
    const body = plain(message);
    first ||= body;
    text = text === '' ? body : `${text}\n${body}`;
  }
  const summary = cut(first || topic, MAX_SUMMARY);
  return {
    title: topic === '' ? cut(firstSentence(summary), MAX_TITLE) : cut(topic, MAX_TITLE),
    summary,
    text: cut(text, MAX_TEXT),
  };
}

/** Text without tags, fences, addresses and quotations of earlier messages, on one line. */
function plain(source: string): string {
  const lines = source.slice(0, MAX_READ).split('\n');
  const own = lines.filter((line) => !line.startsWith('>') && !line.startsWith('```'));
  const text = own
    .join(' ')
    .replace(/<[^<>]{0,500}>/g, ' ')
    .replace(/https?:\/\/[^\s)>\]]*/g, ' ');
  return unescapeXml(text).replace(/\s+/g, ' ').trim();
}

const firstSentence = (text: string) => /^[^.!?。！？]{1,200}[.!?。！？]?/u.exec(text)?.[0] ?? text;

/** Cut between words if there is a space near the end. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const short = text.slice(0, max - 1).toWellFormed();
  const space = short.lastIndexOf(' ');
  return `${(space > max * 0.6 ? short.slice(0, space) : short).replace(/\ufffd$/, '')}…`;
}
