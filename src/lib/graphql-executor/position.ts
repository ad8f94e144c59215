import {
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isNonNullType,
} from 'graphql';

/** A field that an operation selects on objects of one type. */
export interface SelectedField {
  /** The key in the response: the alias or the name. */
  readonly key: string;
  /** All selections with this key. Their selections are merged. */
  readonly nodes: readonly [FieldNode, ...FieldNode[]];
  readonly parentType: GraphQLObjectType;
  readonly definition: GraphQLField<unknown, unknown>;
  /** Reads its arguments. Throws if a required argument has no value. */
  readonly readArguments: (variables: Record<string, unknown>) => object;
  /** Position of its arguments in those of an execution. */
  readonly number: number;
}

/** A position in the response, without the indexes of lists: the value of a field, or the items of a list. */
export class ResponsePosition {
  readonly field: SelectedField;
  readonly type: GraphQLOutputType;
  /** The position that contains this one. Undefined for fields of the root. */
  readonly outer: ResponsePosition | undefined;
  /** Whether this is the position of the items of `outer`. */
  readonly isItem: boolean;
  /** Length of its path. */
  readonly depth: number;
  /** Number of lists that contain it, which is the number of indexes in its path. */
  readonly lists: number;
  /**
   * Length of the path of the value that becomes null after an error here: this value or, if its type is non-null, the
   * nearest nullable value that contains it. 0 for the whole data.
   */
  readonly boundary: number;

  private constructor(
    field: SelectedField,
    type: GraphQLOutputType,
    outer: ResponsePosition | undefined,
    isItem: boolean,
  ) {
    this.field = field;
    this.type = type;
    this.outer = outer;
    this.isItem = isItem;
    this.depth = (outer?.depth ?? 0) + 1;
    this.lists = (outer?.lists ?? 0) + (isItem ? 1 : 0);
    this.boundary = isNonNullType(type) ? (outer?.boundary ?? 0) : this.depth;
  }

  static ofField(field: SelectedField, outer: ResponsePosition | undefined): ResponsePosition {
    return new ResponsePosition(field, field.definition.type, outer, false);
  }

  itemsOf(type: GraphQLOutputType): ResponsePosition {
    return new ResponsePosition(this.field, type, this, true);
  }

  /** The path with these indexes of lists, the outermost first. */
  pathAt(indexes: readonly number[]): (string | number)[] {
    const path: (string | number)[] = [];
    for (let position: ResponsePosition | undefined = this; position; position = position.outer)
      path.push(position.isItem ? (indexes[position.lists - 1] ?? 0) : position.field.key);
    return path.reverse();
  }
}
