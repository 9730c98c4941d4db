import type {
  Extensions,
  ItemColumns,
  ItemField,
  Ordinal,
  Plugin,
  RequestContext,
  UserColumns,
} from '../plugin/index.ts';
import { getsRequest, KINDS, type Kind, membersOf } from '../registry/kinds.ts';
import { frozen } from './traps.ts';

/** What extensions do with their requests while a check runs. */
export class Conduct {
  /** The extensions must not read fields of users and other items, which may change without the items. */
  from_items_alone = false;
  /** The signals that each extension has requested, by its id. */
  readonly signals = new Map<string, Set<string>>();
}

/** A plugin whose extensions get frozen options, and requests that are stricter than those of the service. */
export function strictPlugin<P extends Plugin>(plugin: P, conduct: Conduct): P {
  const kinds = KINDS.map((kind) => {
    const extensions: Record<string, object> = plugin[kind] ?? {};
    return [
      kind,
      Object.fromEntries(Object.entries(extensions).map(([id, one]) => [id, strict(kind, id, one, conduct)])),
    ];
  });
  return { ...plugin, ...(Object.fromEntries(kinds) as Extensions) };
}

type Member = (options: unknown, tools: unknown) => unknown;
type Bound = (request: RequestContext) => unknown;

/** Wraps all functions of an extension: each gets options, and may return a function that gets a request. */
function strict(kind: Kind, id: string, extension: object, conduct: Conduct): object {
  const { reads = [] } = extension as { reads?: readonly string[] };
  const wrapped =
    (member: Member): Member =>
    (options, tools) => {
      const bound = member.call(extension, frozen(structuredClone(options)), tools);
      if (typeof bound !== 'function' || !getsRequest(kind)) return bound;
      return (request: RequestContext) => (bound as Bound)(strictRequest(request, id, reads, conduct));
    };
  const members = membersOf(kind, extension).map(([name, member]) => [
    name,
    typeof member === 'function' ? wrapped(member as Member) : member,
  ]);
  return Object.fromEntries(members);
}

/** A request in which only declared fields can be read, and which has no value of NONE. */
function strictRequest(
  request: RequestContext,
  id: string,
  reads: readonly string[],
  conduct: Conduct,
): RequestContext {
  const mustRead = (field: string) => {
    if (!reads.includes(field)) throw new Error(`'${field}' is not in its reads`);
  };
  const mustNotDepend = (what: string) => {
    if (conduct.from_items_alone) throw new Error(`it looks at ${what}, which its depends_on leaves out`);
  };
  const { item, user, trend } = request;
  function field(item_of: Ordinal, name: 'text'): string;
  function field(item_of: Ordinal, name: ItemField): unknown;
  function field(item_of: Ordinal, name: ItemField): unknown {
    mustRead(`item.${name}`);
    return item.field(item_of, name);
  }
  return Object.freeze({
    ...request,
    item: Object.freeze({
      ...item,
      field,
      find(item_id) {
        mustNotDepend('another item');
        return item.find(item_id);
      },
      words(lists) {
        mustRead('words');
        return item.words(lists);
      },
    } satisfies ItemColumns),
    user: Object.freeze({
      ...user,
      field(of, name) {
        mustNotDepend('a field of a user');
        mustRead(`user.${name}`);
        return user.field(of, name);
      },
    } satisfies UserColumns),
    signal(name) {
      const requested = conduct.signals.get(id) ?? new Set();
      conduct.signals.set(id, requested.add(name));
      return ofItems(`the signal '${name}'`, request.signal(name));
    },
    trend: Object.freeze({
      pace_known: trend.pace_known,
      expected_rates: () => ofItems('the rate', trend.expected_rates()),
    }),
  } satisfies RequestContext);
}

/** Rejects NONE, for which the service may return any value. */
function ofItems(what: string, value: (item: Ordinal) => number): (item: Ordinal) => number {
  return (item) => {
    if (item < 0) throw new Error(`${what} was called for NONE, which is not an item`);
    return value(item);
  };
}
