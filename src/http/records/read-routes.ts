import { ServiceError } from '../../errors.ts';
import { EXAMPLE_IDS } from '../../model/records/example-ids.ts';
import { type Admission, INGEST, type Keyed } from '../identity/admissions.ts';
import { identifierParameter, optional, type Parameters } from '../transport/parameters.ts';
import { CONTENT_PATH, urlOf } from '../transport/request-url.ts';
import { type Context, type Definition, type Route, route, withTwin } from '../transport/route.ts';
import { storedItem, storedUser } from './stored-records.ts';

const KINDS = {
  items: {
    parameter: 'item_id',
    what: 'item',
    id: identifierParameter('item', EXAMPLE_IDS.item),
    record: storedItem,
  },
  users: {
    parameter: 'user_id',
    what: 'user',
    id: identifierParameter('user', EXAMPLE_IDS.viewer),
    record: storedUser,
  },
} as const;

type ById = { id: (typeof KINDS)['items']['id'] };

/**
 * The two forms of a read beside the stored record: `GET /items/<item_id>/similar`, and `GET /items/similar?item_id=` for
 * identifiers that a path cannot carry.
 *
 * `GET /items/similar` is also the path of the item with the identifier `similar`. A request without the parameter reads
 * that item, with the rights that reading an item needs.
 * @param name the last segment of the path
 */
export function readRoutes<A, Q extends Parameters = Record<never, never>>(
  kind: keyof typeof KINDS,
  name: string,
  definition: Omit<Definition<Keyed, ById, Q, undefined, A>, 'params'>,
): Route[] {
  const { parameter, what, id, record } = KINDS[kind];
  const hint = `without ${parameter}, this path is that of the ${what} '${name}'`;
  const path = `${CONTENT_PATH}/${kind}/:id/${name}`;
  const [by_path, by_query] = withTwin(parameter, route('GET', path, { ...definition, params: { id } }));
  const hasId = (request: Request) => urlOf(request).searchParams.has(parameter);
  const admit: Admission<Keyed> = {
    key: definition.admit.key,
    admit(host, request, params) {
      if (hasId(request)) return definition.admit.admit(host, request, params);
      return hinted(hint, () => INGEST.admit(host, request, params));
    },
  };
  const { documented, query, handle } = by_query;
  const docs = documented && {
    ...documented.docs,
    errors: [...(documented.docs.errors ?? []), 'store_unavailable' as const],
    description: `${documented.docs.description} Without \`${parameter}\`, returns the stored record of the ${what} with the identifier \`${name}\`, which needs the scope \`${INGEST.key.scope}\`.`,
  };
  return [
    by_path,
    {
      ...by_query,
      admit,
      query: { ...query, [parameter]: optional(id) },
      answered_by: (request) => (hasId(request) ? definition.answered_by : 'current'),
      documented: documented && docs && { ...documented, docs },
      handle(context: Context<Keyed, ById, Q, undefined>) {
        if (hasId(context.request)) return handle(context);
        return hinted(hint, (): Promise<object> => record(context.service, name, context.given_up));
      },
    },
  ];
}

/** Most callers who get these errors forgot the parameter. */
async function hinted<T>(hint: string, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ServiceError) || (error.code !== 'forbidden' && error.code !== 'not_found'))
      throw error;
    throw new ServiceError(error.code, `${error.detail}; ${hint}`);
  }
}
