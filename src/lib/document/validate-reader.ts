import { type FragmentRule, rejectedBlocks } from './node-rules.ts';
import type { Issue } from './preflight.ts';

const MOST_ISSUES = 100;
const MOST_KEY_CHARACTERS = 128;

/** Reads untrusted properties, and tracks the current path and the issues found. */
export class Reader {
  readonly issues: Issue[] = [];
  private readonly path: PropertyKey[] = [];

  report(message: string, below: readonly PropertyKey[] = []): void {
    if (this.issues.length >= MOST_ISSUES) return;
    const path = [...this.path, ...below].map((name) => (typeof name === 'symbol' ? String(name) : name));
    this.issues.push({ path, message });
  }

  /** Reports an issue. The result stands in for the invalid value. */
  reject(message: string, ...below: string[]): undefined {
    this.report(message, below);
  }

  /** The properties of a node with one of these values of `object`. */
  object(value: unknown, ...kinds: [string, ...string[]]): Record<string, unknown> | undefined {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return this.reject('Expected a node.');
    const members = value as Record<string, unknown>; // an object that is not a list has named properties
    if (members.object === kinds[0]) return members;
    return this.reject(`Expected ${kinds.map((kind) => `"${kind}"`).join(' or ')}.`, 'object');
  }

  type<T extends string>(value: unknown, allowed: readonly T[]): T | undefined {
    const type = allowed.find((each) => each === value);
    if (type) return type;
    const names = allowed.length > 0 ? `Allowed here: ${allowed.join(', ')}.` : 'Only text is allowed here.';
    const reason = rejectedBlocks.includes(String(value)) ? 'not supported' : 'not allowed here';
    return this.reject(`A node of type ${JSON.stringify(value) ?? 'undefined'} is ${reason}. ${names}`, 'type');
  }

  key(value: unknown): { key?: string } {
    if (value === undefined || value === null || value === '') return {};
    if (typeof value === 'string' && value.length <= MOST_KEY_CHARACTERS) return { key: value };
    this.report(`Expected a string of at most ${MOST_KEY_CHARACTERS} characters.`, ['key']);
    return {};
  }

  list<T>(value: unknown, name: string, read: (item: unknown) => T | undefined): T[] {
    if (!Array.isArray(value)) {
      this.report('Expected a list.', [name]);
      return [];
    }
    const items: T[] = [];
    this.path.push(name);
    for (const [i, each] of value.entries()) {
      this.path.push(i);
      const item = read(each);
      if (item !== undefined) items.push(item);
      this.path.pop();
    }
    this.path.pop();
    return items;
  }

  count(count: number, { name, min, max }: FragmentRule): void {
    if (count < min) this.report(`The fragment "${name}" must have at least ${min} block.`, ['nodes']);
    if (max !== undefined && count > max)
      this.report(`The fragment "${name}" must have at most ${max} block.`, ['nodes']);
  }

  unnamed(rules: readonly FragmentRule[]): undefined {
    return this.reject(`Expected one of: ${rules.map(({ name }) => name).join(', ')}.`, 'fragment');
  }
}
