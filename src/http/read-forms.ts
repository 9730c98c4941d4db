import { ServiceError } from '../errors.ts';
import type { Admission } from './auth.ts';
import { ADMISSIONS } from './bodies.ts';
import type { Host } from './host.ts';
import { byQuery, type OperationDocs } from './openapi/operation.ts';
import { urlOf } from './request-url.ts';
import { storedItem, storedUser } from './stored-records.ts';

const KINDS = {
  items: { parameter: 'item_id', what: 'item', read: storedItem },
  users: { parameter: 'user_id', what: 'user', read: storedUser },
} as const;

/**
 * The two forms of a read: `GET /items/<item_id>/similar`, and `GET /items/similar?item_id=` for identifiers that a path
 * cannot carry.
 *
 * `GET /items/similar` is also the path of the item with the identifier `similar`. A request without the parameter reads
 * that item, with the rights that reading an item needs.
 */
export class ReadForms {
  private readonly kind: (typeof KINDS)[keyof typeof KINDS];

  /** @param name the last segment of the path */
  constructor(
    private readonly host: Host,
    kind: keyof typeof KINDS,
    private readonly name: string,
    private readonly admission: Admission,
  ) {
    this.kind = KINDS[kind];
  }

  /** Admits a request with the identifier in the path. @throws ServiceError as `Host.admit` */
  readonly admitByPath = ({ request }: { request: Request }): void =>
    this.host.admit(request, this.admission);

  /** Admits a request with the identifier in the query, or without it. @throws ServiceError as `Host.admit` */
  readonly admitByQuery = ({ request }: { request: Request }): void => {
    if (urlOf(request).searchParams.has(this.kind.parameter)) {
      this.host.admit(request, this.admission);
      return;
    }
    try {
      this.host.admit(request, ADMISSIONS.ingest);
    } catch (error) {
      throw this.withHint(error);
    }
  };

  /** Reads the record whose identifier is the name of the read. @throws ServiceError `not_found`, `store_unavailable` */
  async record(request: Request): Promise<object> {
    try {
      return await this.kind.read(this.host.admitted(request).service, this.name, request.signal);
    } catch (error) {
      throw this.withHint(error);
    }
  }

  /** The documentation of the route. @param docs that of the route with the identifier in the path */
  docs(docs: OperationDocs): OperationDocs {
    const { parameter, what } = this.kind;
    const form = byQuery(docs);
    return {
      ...form,
      errors: [...(docs.errors ?? []), 'store_unavailable'],
      description: `${form.description} Without \`${parameter}\`, returns the stored record of the ${what} with the identifier \`${this.name}\`, which needs the scope \`${ADMISSIONS.ingest.scope}\`.`,
    };
  }

  /** Most callers who get these errors forgot the parameter. */
  private withHint(error: unknown): unknown {
    if (!(error instanceof ServiceError) || (error.code !== 'forbidden' && error.code !== 'not_found'))
      return error;
    const { parameter, what } = this.kind;
    const hint = `without ${parameter}, this path is that of the ${what} '${this.name}'`;
    return new ServiceError(error.code, `${error.detail}; ${hint}`);
  }
}
