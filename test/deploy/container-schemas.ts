import { expect } from 'bun:test';
import Ajv2020 from 'ajv/dist/2020.js';

/** JSON schemas of the parts of Compose files and Kubernetes manifests that `deploy/` uses. Other keys are refused. */

// biome-ignore lint/suspicious/noExplicitAny: checked by the schemas
export type Checked = any;

/** The document, once it fits the schema. */
export function fitting(schema: object, document: unknown): Checked {
  const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
  ajv.validate(schema, document);
  expect(ajv.errors ?? []).toEqual([]);
  return document;
}

type Schema = Record<string, unknown>;

const TEXT: Schema = { type: 'string', minLength: 1 };
const COUNT: Schema = { type: 'integer', minimum: 1 };
const YES: Schema = { const: true };
const NO: Schema = { const: false };
const SECONDS: Schema = { type: 'string', pattern: '^[0-9]+s$' };

function object(required: Record<string, Schema>, optional: Record<string, Schema> = {}): Schema {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
  };
}

function listOf(items: Schema): Schema {
  return { type: 'array', items, minItems: 1 };
}

function mapOf(values: Schema): Schema {
  return { type: 'object', additionalProperties: values, minProperties: 1 };
}

/** The Compose file: a service that cannot write its root and has no rights. */
export const COMPOSE: Schema = object({
  name: { type: 'string', pattern: '^[a-z0-9][a-z0-9_-]*$' },
  services: mapOf(
    object({
      image: TEXT,
      build: object({ context: TEXT, dockerfile: TEXT }),
      restart: { enum: ['no', 'always', 'on-failure', 'unless-stopped'] },
      ports: listOf({ type: 'string', pattern: '^127\\.0\\.0\\.1:[0-9]+:[0-9]+$' }),
      environment: mapOf({ type: ['string', 'number'] }),
      volumes: listOf({ type: 'string', pattern: '^[a-z]+:/[a-z]+$' }),
      read_only: YES,
      cap_drop: { const: ['ALL'] },
      security_opt: { const: ['no-new-privileges:true'] },
      ulimits: object({ nofile: COUNT }),
      stop_grace_period: SECONDS,
    }),
  ),
  volumes: mapOf({ type: ['object', 'null'] }),
});

const SHARED = { restart: { const: 'unless-stopped' }, read_only: YES, stop_grace_period: SECONDS };
const WITHOUT_RIGHTS = { cap_drop: { const: ['ALL'] }, security_opt: { const: ['no-new-privileges:true'] } };
const FOLDERS = listOf({ type: 'string', pattern: '^/[a-z/]+$' });
const HEALTH_CHECK = object({
  test: { type: 'array', items: TEXT, minItems: 2 },
  interval: SECONDS,
  timeout: SECONDS,
  retries: COUNT,
  start_period: SECONDS,
});
/** Services that must be healthy before. */
const AFTER_HEALTHY = mapOf(object({ condition: { const: 'service_healthy' } }));
/** A volume, or a file of `deploy/` that is not written to. */
const MOUNTS = listOf({ type: 'string', pattern: '^([a-z0-9]+:/[a-z/]+|\\./[^:]+:/[^:]+:ro)$' });

const NODE = object({
  ...SHARED,
  ...WITHOUT_RIGHTS,
  image: TEXT,
  build: object({ context: TEXT, dockerfile: TEXT }),
  depends_on: AFTER_HEALTHY,
  ulimits: object({ nofile: COUNT }),
  environment: mapOf(TEXT),
  volumes: MOUNTS,
});

const BALANCER = object({
  ...SHARED,
  ...WITHOUT_RIGHTS,
  image: TEXT,
  depends_on: listOf(TEXT),
  ports: listOf({ type: 'string', pattern: '^127\\.0\\.0\\.1:[0-9]+:[0-9]+$' }),
  volumes: MOUNTS,
  tmpfs: FOLDERS,
  healthcheck: HEALTH_CHECK,
});

const DATABASE = object(
  {
    ...SHARED,
    ...WITHOUT_RIGHTS,
    image: TEXT,
    user: { const: 'postgres' },
    tmpfs: FOLDERS,
    shm_size: TEXT,
    healthcheck: HEALTH_CHECK,
    stop_signal: { const: 'SIGINT' },
    command: listOf(TEXT),
    environment: mapOf(TEXT),
    volumes: MOUNTS,
  },
  { depends_on: AFTER_HEALTHY, entrypoint: listOf(TEXT) },
);

/** The Compose file of nodes. Its parts for several services are beside the services. */
export const COMPOSE_NODES: Schema = object({
  name: { type: 'string', pattern: '^[a-z0-9][a-z0-9_-]*$' },
  'x-node': { type: 'object' },
  'x-node-environment': { type: 'object' },
  'x-database': { type: 'object' },
  services: object({
    node1: NODE,
    node2: NODE,
    node3: NODE,
    balancer: BALANCER,
    primary: DATABASE,
    standby: DATABASE,
  }),
  volumes: mapOf({ type: ['object', 'null'] }),
});

const METADATA = object(
  { name: { type: 'string', pattern: '^[a-z]([a-z0-9-]*[a-z0-9])?$' } },
  { labels: mapOf(TEXT) },
);
const PORT: Schema = { type: 'integer', minimum: 1, maximum: 65535 };
/** An IANA service name, as Kubernetes requires for named ports. */
const PORT_NAME: Schema = { type: 'string', pattern: '^[a-z0-9-]{1,15}$' };
const QUANTITY: Schema = { type: 'string', pattern: '^[0-9]+(m|Ki|Mi|Gi|Ti)?$' };
const PROBE = object(
  { httpGet: object({ path: { type: 'string', pattern: '^/' }, port: PORT_NAME }), periodSeconds: COUNT },
  { timeoutSeconds: COUNT, failureThreshold: COUNT },
);

const CONTAINER = object({
  name: TEXT,
  image: TEXT,
  // Kubernetes refuses numbers as values of variables.
  env: listOf(object({ name: TEXT, value: { type: 'string' } })),
  ports: listOf(object({ name: PORT_NAME, containerPort: PORT })),
  livenessProbe: PROBE,
  readinessProbe: PROBE,
  resources: object({ requests: mapOf(QUANTITY), limits: mapOf(QUANTITY) }),
  securityContext: object({
    allowPrivilegeEscalation: NO,
    readOnlyRootFilesystem: YES,
    capabilities: object({ drop: { const: ['ALL'] } }),
  }),
  volumeMounts: listOf(object({ name: TEXT, mountPath: { type: 'string', pattern: '^/' } })),
});

const POD = object({
  enableServiceLinks: NO,
  automountServiceAccountToken: NO,
  terminationGracePeriodSeconds: COUNT,
  securityContext: object({
    runAsNonRoot: YES,
    runAsUser: COUNT,
    runAsGroup: COUNT,
    fsGroup: COUNT,
    fsGroupChangePolicy: { enum: ['OnRootMismatch', 'Always'] },
    seccompProfile: object({ type: { const: 'RuntimeDefault' } }),
  }),
  containers: listOf(CONTAINER),
});

const CLAIM = object({
  metadata: METADATA,
  spec: object({
    accessModes: { type: 'array', items: { enum: ['ReadWriteOnce', 'ReadWriteOncePod'] }, minItems: 1 },
    resources: object({ requests: object({ storage: QUANTITY }) }),
  }),
});

/** The Service and the StatefulSet, by kind. */
export const KUBERNETES: Readonly<Record<string, Schema>> = {
  Service: object({
    apiVersion: { const: 'v1' },
    kind: { const: 'Service' },
    metadata: METADATA,
    spec: object({
      selector: mapOf(TEXT),
      ports: listOf(object({ name: PORT_NAME, port: PORT, targetPort: PORT_NAME })),
    }),
  }),
  StatefulSet: object({
    apiVersion: { const: 'apps/v1' },
    kind: { const: 'StatefulSet' },
    metadata: METADATA,
    spec: object({
      serviceName: TEXT,
      // One process serves a data folder.
      replicas: { const: 1 },
      selector: object({ matchLabels: mapOf(TEXT) }),
      template: object({ metadata: object({ labels: mapOf(TEXT) }), spec: POD }),
      volumeClaimTemplates: listOf(CLAIM),
    }),
  }),
};
