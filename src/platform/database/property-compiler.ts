import {
  type CompiledQuery,
  type IdentifierNode,
  PostgresQueryCompiler,
  type QueryId,
  type RootOperationNode,
} from 'kysely';
import { columnOf } from './column-names.ts';

/** A statement of the query builder. Its rows have property names. */
export interface PropertyQuery extends CompiledQuery {
  readonly namesRows: true;
}

/** Whether a statement was made by the query builder and not by the ORM or a library. */
export const isPropertyQuery = (query: CompiledQuery): query is PropertyQuery => 'namesRows' in query;

const quoted = new Map<string, string>();

/** Compiles property names to column names. */
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
