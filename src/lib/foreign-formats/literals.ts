import { stripTypeScriptTypes } from 'node:module';
import { type AnyNode, type Expression, type Program, parse } from 'acorn';

/** Longer modules are not read. */
const MAX_LENGTH = 500_000;
const MAX_DEPTH = 60;
const MAX_VALUES = 100_000;

/**
 * The value that a JavaScript or TypeScript module exports by default or by `module.exports`, as far as it is written
 * with literals, constants of the module and spreads of them. Nothing is run: everything else is undefined. Undefined
 * too if the module has syntax errors or is too long.
 */
export function exportedLiteral(source: string, { isTypeScript = false } = {}): unknown {
  if (source.length > MAX_LENGTH) return undefined;
  try {
    const script = isTypeScript ? stripTypeScriptTypes(source) : source;
    const options = { ecmaVersion: 'latest', allowReturnOutsideFunction: true, allowHashBang: true } as const;
    const program = parse(script, { ...options, sourceType: 'module' });
    const value = exportOf(program);
    return value && new Reader(program).read(value, 0);
  } catch {
    // Syntax errors, and RangeError for expressions that are nested too deep.
    return undefined;
  }
}

function exportOf({ body }: Program): AnyNode | undefined {
  for (const statement of body) {
    if (statement.type === 'ExportDefaultDeclaration') return statement.declaration;
    if (statement.type !== 'ExpressionStatement' || statement.expression.type !== 'AssignmentExpression') continue;
    const { left, right } = statement.expression;
    const isExports =
      left.type === 'MemberExpression' && left.property.type === 'Identifier' && left.property.name === 'exports';
    if (isExports) return right;
  }
  return undefined;
}

class Reader {
  readonly #constants: ReadonlyMap<string, Expression>;
  #remaining = MAX_VALUES;

  constructor({ body }: Program) {
    const declarations = body.flatMap((statement) =>
      statement.type === 'VariableDeclaration' ? statement.declarations : [],
    );
    this.#constants = new Map(
      declarations.flatMap(({ id, init }) => (id.type === 'Identifier' && init ? [[id.name, init] as const] : [])),
    );
  }

  read(node: AnyNode, depth: number): unknown {
    this.#remaining -= 1;
    if (depth > MAX_DEPTH || this.#remaining < 0) return undefined;
    switch (node.type) {
      case 'Literal':
        return typeof node.value === 'object' ? undefined : node.value;
      case 'TemplateLiteral':
        return node.expressions.length === 0 ? node.quasis[0]?.value.cooked : undefined;
      case 'Identifier': {
        const constant = this.#constants.get(node.name);
        return constant && this.read(constant, depth + 1);
      }
      case 'ArrayExpression':
        return node.elements.flatMap((element) => this.#element(element, depth));
      case 'ObjectExpression':
        return Object.fromEntries(node.properties.flatMap((property) => this.#member(property, depth)));
      case 'CallExpression':
        return this.#called(node.arguments, depth);
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        return this.#returned(node.body, depth);
      default:
        return undefined;
    }
  }

  #element(element: AnyNode | null, depth: number): unknown[] {
    if (element === null) return [];
    if (element.type !== 'SpreadElement') return [this.read(element, depth + 1)];
    const inner = this.read(element.argument, depth + 1);
    return Array.isArray(inner) ? inner : [];
  }

  #member(property: AnyNode, depth: number): [string, unknown][] {
    if (property.type === 'SpreadElement') {
      const inner = this.read(property.argument, depth + 1);
      return typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? Object.entries(inner) : [];
    }
    if (property.type !== 'Property' || property.computed) return [];
    const { key, value } = property;
    const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : undefined;
    return name === undefined ? [] : [[name, this.read(value, depth + 1)]];
  }

  /**
   * Calls such as `require.resolve('./sidebars.js')` and `path.resolve(__dirname, 'docs')` mean their last string, and
   * those such as `defineConfig({…})` their first object.
   */
  #called(values: readonly AnyNode[], depth: number): unknown {
    const read = values.map((value) => this.read(value, depth + 1));
    const isObject = (value: unknown) => typeof value === 'object' && value !== null;
    return read.findLast((value) => typeof value === 'string') ?? read.find(isObject);
  }

  /** The value that a function returns in its last statement. */
  #returned(body: AnyNode, depth: number): unknown {
    if (body.type !== 'BlockStatement') return this.read(body, depth + 1);
    const last = body.body.findLast((statement) => statement.type === 'ReturnStatement');
    return last?.type === 'ReturnStatement' && last.argument ? this.read(last.argument, depth + 1) : undefined;
  }
}
