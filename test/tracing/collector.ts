import Ajv2020 from 'ajv/dist/2020.js';

/** A local collector that checks what it gets against the public protocol (OTLP 1.x over HTTP, JSON encoding). */

const TIME = { type: 'string', pattern: '^[1-9][0-9]{18}$' };
const VALUE = {
  oneOf: [
    {
      type: 'object',
      properties: { stringValue: { type: 'string' } },
      required: ['stringValue'],
      additionalProperties: false,
    },
    {
      type: 'object',
      properties: { intValue: { type: 'string', pattern: '^-?[0-9]+$' } },
      required: ['intValue'],
      additionalProperties: false,
    },
    {
      type: 'object',
      properties: { doubleValue: { type: 'number' } },
      required: ['doubleValue'],
      additionalProperties: false,
    },
  ],
};
const ATTRIBUTES = {
  type: 'array',
  items: {
    type: 'object',
    properties: { key: { type: 'string', minLength: 1 }, value: VALUE },
    required: ['key', 'value'],
    additionalProperties: false,
  },
};
const SPAN = {
  type: 'object',
  properties: {
    traceId: { type: 'string', pattern: '^(?!0+$)[0-9a-f]{32}$' },
    spanId: { type: 'string', pattern: '^(?!0+$)[0-9a-f]{16}$' },
    parentSpanId: { type: 'string', pattern: '^(?!0+$)[0-9a-f]{16}$' },
    flags: { type: 'integer', minimum: 0, maximum: 0xffff_ffff },
    name: { type: 'string', minLength: 1 },
    kind: { type: 'integer', minimum: 1, maximum: 5 },
    startTimeUnixNano: TIME,
    endTimeUnixNano: TIME,
    attributes: ATTRIBUTES,
    status: {
      type: 'object',
      properties: { code: { enum: [0, 1, 2] } },
      required: ['code'],
      additionalProperties: false,
    },
  },
  required: [
    'traceId',
    'spanId',
    'name',
    'kind',
    'startTimeUnixNano',
    'endTimeUnixNano',
    'attributes',
    'status',
  ],
  additionalProperties: false,
};
const SCOPE_SPANS = {
  type: 'object',
  properties: {
    scope: {
      type: 'object',
      properties: { name: { type: 'string' }, version: { type: 'string' } },
      required: ['name', 'version'],
      additionalProperties: false,
    },
    spans: { type: 'array', items: SPAN, minItems: 1 },
  },
  required: ['scope', 'spans'],
  additionalProperties: false,
};
const REQUEST = {
  type: 'object',
  properties: {
    resourceSpans: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        properties: {
          resource: {
            type: 'object',
            properties: { attributes: ATTRIBUTES },
            required: ['attributes'],
            additionalProperties: false,
          },
          scopeSpans: { type: 'array', items: SCOPE_SPANS, minItems: 1 },
        },
        required: ['resource', 'scopeSpans'],
        additionalProperties: false,
      },
    },
  },
  required: ['resourceSpans'],
  additionalProperties: false,
};

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Record<string, unknown> }[];
  status: { code: number };
}

interface ExportRequest {
  resourceSpans: {
    resource: { attributes: CollectedSpan['attributes'] };
    scopeSpans: { scope: { name: string }; spans: CollectedSpan[] }[];
  }[];
}

/** What the collector answers to an export. */
type Answer = () => Response | Promise<Response>;

const TAKEN: Answer = () => Response.json({ partialSuccess: {} });

/** A collector on a port of its own. */
export class Collector {
  readonly requests: { path: string; headers: Headers; text: string; body: ExportRequest }[] = [];
  /** What does not fit the protocol. */
  readonly faults: string[] = [];
  private readonly validate = new Ajv2020({ strict: true, allErrors: true }).compile(REQUEST);
  private readonly server: Bun.Server<undefined>;

  constructor(answer: Answer = TAKEN) {
    this.server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: async (request) => {
        const text = await request.text();
        const body: ExportRequest = JSON.parse(text);
        if (!this.validate(body)) this.faults.push(JSON.stringify(this.validate.errors));
        this.requests.push({ path: new URL(request.url).pathname, headers: request.headers, text, body });
        return answer();
      },
    });
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.server.port}`;
  }

  /** All spans, in the order in which they ended. */
  get spans(): CollectedSpan[] {
    return this.requests.flatMap(({ body }) =>
      body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.stop(true);
  }
}

/** The attributes of a span as texts. */
export function attributesOf({ attributes }: Pick<CollectedSpan, 'attributes'>): Record<string, string> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, String(Object.values(value)[0])]));
}
