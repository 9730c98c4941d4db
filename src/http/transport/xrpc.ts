import { ServiceError } from '../../errors.ts';

/** An error of AT Protocol's RPC (XRPC). */
export interface XrpcProblem {
  error: string;
  message: string;
}

/** The names of errors by status, as published clients know them. */
const NAMES: Readonly<Record<number, string>> = {
  400: 'InvalidRequest',
  401: 'AuthenticationRequired',
  403: 'Forbidden',
  404: 'XRPCNotSupported',
  405: 'InvalidRequest',
  409: 'InvalidRequest',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  429: 'RateLimitExceeded',
  503: 'NotEnoughResources',
  507: 'NotEnoughResources',
};

const OTHER = 'InternalServerError';

/** An error that a method names itself. */
export class XrpcError extends ServiceError {
  constructor(
    readonly error: string,
    detail: string,
  ) {
    super('invalid_value', detail);
  }
}

/** Whether errors of this path are sent in the form of XRPC, not as problem details. */
export function isXrpc(path: string): boolean {
  return path.startsWith('/xrpc/');
}

export function xrpcProblemOf(failure: ServiceError): XrpcProblem {
  const error = failure instanceof XrpcError ? failure.error : (NAMES[failure.status] ?? OTHER);
  return { error, message: failure.detail.toWellFormed() };
}
