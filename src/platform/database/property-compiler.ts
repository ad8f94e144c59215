import {
  type CompiledQuery,
  type IdentifierNode,
  PostgresQueryCompiler,
  type QueryId,
  type RootOperationNode,
} from 'kysely';
import { columnOf } from './naming.ts';

/** A statement of the query builder: its rows are wanted with the names of properties. */
export interface PropertyQuery extends CompiledQuery {
  readonly namesRows: true;
}

/** Whether a statement was built by the query builder, and not written by the ORM or a library. */
export const isPropertyQuery = (query: CompiledQuery): query is PropertyQuery => 'namesRows' in query;

const quoted = new Map<string, string>();

/** Writes properties as columns, at no cost beyond looking each name up. */
export class PropertyQueryCompiler extends PostgresQueryCompiler {
  override compileQuery(node: RootOperationNode, queryId: QueryId): PropertyQuery {
    return { ...super.compileQuery(node, queryId), namesRows: true };
  }

  protected override visitIdentifier({ name }: IdentifierNode): void {
    let identifier = quoted.get(name);
    if (identifier === undefined) {
      identifier = `"${this.sanitizeIdentifier(columnOf(name))}"`;
      quoted.set(name, identifier);
    }
    this.append(identifier);
  }
}
