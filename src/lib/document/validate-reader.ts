import type { z } from 'zod';
import { flattenIssues, type Issue } from '../validation/flatten-issues.ts';
import type { IssueCode } from '../validation/issue-code.ts';
import { type FragmentRule, rejectedBlocks } from './node-rules.ts';

const MAX_ISSUES = 100;
const MAX_KEY_CHARACTERS = 128;

/** Reads untrusted properties, and tracks the current path and the issues found. */
export class ValidationReader {
  readonly issues: Issue[] = [];
  private readonly path: (string | number)[] = [];

  report(message: string, below: readonly string[] = [], code: IssueCode = 'INVALID_VALUE'): void {
    if (this.issues.length < MAX_ISSUES) this.issues.push({ path: [...this.path, ...below], message, code });
  }

  /** Reports the issues of the property `data`. */
  reportIssues(issues: readonly z.core.$ZodIssue[]): void {
    for (const { path, message, code } of flattenIssues(issues).slice(0, MAX_ISSUES - this.issues.length))
      this.issues.push({ path: [...this.path, 'data', ...path], message, code });
  }

  /** Reports an issue. The result stands in for the invalid value. */
  reject(message: string, below: readonly string[] = [], code?: IssueCode): undefined {
    this.report(message, below, code);
  }

  /** The properties of a node with one of these values of `object`. */
  object(value: unknown, ...kinds: [string, ...string[]]): Record<string, unknown> | undefined {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return this.reject('Expected a node.', [], 'WRONG_TYPE');
    const members = value as Record<string, unknown>; // an object that is not a list has named properties
    if (members.object === kinds[0]) return members;
    return this.reject(`Expected ${kinds.map((kind) => `"${kind}"`).join(' or ')}.`, ['object']);
  }

  type<T extends string>(value: unknown, allowed: readonly T[]): T | undefined {
    const type = allowed.find((each) => each === value);
    if (type) return type;
    const names = allowed.length > 0 ? `Allowed here: ${allowed.join(', ')}.` : 'Only text is allowed here.';
    const reason = rejectedBlocks.includes(String(value)) ? 'not supported' : 'not allowed here';
    return this.reject(`A node of type ${JSON.stringify(value) ?? 'undefined'} is ${reason}. ${names}`, ['type']);
  }

  key(value: unknown): { key?: string } {
    if (value === undefined || value === null || value === '') return {};
    if (typeof value === 'string' && value.length <= MAX_KEY_CHARACTERS) return { key: value };
    this.report(`Expected a string of at most ${MAX_KEY_CHARACTERS} characters.`, ['key']);
    return {};
  }

  list<T>(value: unknown, name: string, read: (item: unknown) => T | undefined): T[] {
    if (!Array.isArray(value)) {
      this.report('Expected a list.', [name], 'WRONG_TYPE');
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
    if (count < min) this.report(`The fragment "${name}" must have at least ${min} block.`, ['nodes'], 'TOO_FEW');
    if (max !== undefined && count > max)
      this.report(`The fragment "${name}" must have at most ${max} block.`, ['nodes'], 'TOO_MANY');
  }

  unnamed(rules: readonly FragmentRule[]): undefined {
    return this.reject(`Expected one of: ${rules.map(({ name }) => name).join(', ')}.`, ['fragment']);
  }
}
