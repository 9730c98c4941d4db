import { type Static, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { ServiceError } from '../../errors.ts';
import { EXAMPLE_IDS } from '../../model/records/example-ids.ts';
import type { Admission } from '../identity/auth.ts';
import { byQuery, described, type OperationDocs } from '../openapi/operation.ts';
import { ADMISSIONS } from '../transport/bodies.ts';
import { unchecked } from '../transport/checked.ts';
import type { Host } from '../transport/host.ts';
import { CONTENT_PATH, urlOf } from '../transport/request-url.ts';
import { identifierParameter, queryOf, strictParameters } from '../transport/url-parameters.ts';
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

/** What can be read of an item or a user beside its stored record. */
interface Read<Query extends TProperties> {
  kind: keyof typeof KINDS;
  /** The last segment of the path. */
  name: string;
  /** For the route with the identifier in the path. */
  docs: OperationDocs & { admission: Admission };
  /** The parameters of the query besides the identifier. */
  query: Query;
  answer: TSchema;
  read(request: Request, id: string, query: Static<TObject<Query>>): unknown;
}

/**
 * The two forms of a read: `GET /items/<item_id>/similar`, and `GET /items/similar?item_id=` for identifiers that a path
 * cannot carry.
 *
 * `GET /items/similar` is also the path of the item with the identifier `similar`. A request without the parameter reads
 * that item, with the rights that reading an item needs.
 */
export function readRoutes<Query extends TProperties>(
  host: Host,
  { kind, name, docs, query: parameters, answer, read }: Read<Query>,
) {
  const { parameter, what, id: id_schema, record } = KINDS[kind];
  /** Most callers who get these errors forgot the parameter. */
  const withHint = (error: unknown): unknown => {
    if (!(error instanceof ServiceError) || (error.code !== 'forbidden' && error.code !== 'not_found'))
      return error;
    const hint = `without ${parameter}, this path is that of the ${what} '${name}'`;
    return new ServiceError(error.code, `${error.detail}; ${hint}`);
  };
  const admitByPath = ({ request }: { request: Request }) => host.admit(request, docs.admission);
  const admitByQuery = ({ request }: { request: Request }): void => {
    const has_id = urlOf(request).searchParams.has(parameter);
    try {
      host.admit(request, has_id ? docs.admission : ADMISSIONS.ingest);
    } catch (error) {
      throw has_id ? error : withHint(error);
    }
  };
  const readRecord = async (request: Request): Promise<object> => {
    try {
      return await record(host.admitted(request).service, name, request.signal);
    } catch (error) {
      throw withHint(error);
    }
  };
  const by_query = byQuery(docs);
  const response = { 200: unchecked(answer) };
  const readBy = (request: Request, id: unknown, query: unknown) =>
    read(request, String(id), query as Static<TObject<Query>>);
  return new Elysia({ prefix: `${CONTENT_PATH}/${kind}` })
    .get(`/:id/${name}`, async ({ request, params, query }) => readBy(request, params.id, query), {
      transform: [admitByPath, strictParameters],
      params: Type.Object({ id: id_schema }),
      query: queryOf(parameters),
      response,
      detail: described(docs),
    })
    .get(
      `/${name}`,
      async ({ request, query }) => {
        const { [parameter]: id, ...others } = query as Record<string, unknown>;
        return id === undefined ? readRecord(request) : readBy(request, id, others);
      },
      {
        transform: [admitByQuery, strictParameters],
        query: queryOf<TProperties>({ [parameter]: Type.Optional(id_schema), ...parameters }),
        response,
        detail: described({
          ...by_query,
          errors: [...(docs.errors ?? []), 'store_unavailable'],
          description: `${by_query.description} Without \`${parameter}\`, returns the stored record of the ${what} with the identifier \`${name}\`, which needs the scope \`${ADMISSIONS.ingest.scope}\`.`,
        }),
      },
    );
}
