import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { instructionsOf } from '../../.ci/containerfile.ts';
import { REPOSITORY } from '../support/feedloom.ts';
import { type Checked, COMPOSE, fitting, KUBERNETES } from './container-schemas.ts';
import { deployText, deployYaml } from './support.ts';

const {
  env: IMAGE_ENV,
  ports: IMAGE_PORTS,
  volumes: IMAGE_VOLUMES,
  user: IMAGE_USER,
} = instructionsOf(deployText('Containerfile'));

describe('the Compose file', () => {
  const [compose] = deployYaml('compose.yaml');
  const { services, volumes } = fitting(COMPOSE, compose);
  const { feedloom } = services;

  test('builds the image from the root of the repository', () => {
    const context = join(REPOSITORY, 'deploy', feedloom.build.context);
    expect(existsSync(join(context, feedloom.build.dockerfile))).toBe(true);
  });

  test('mounts a volume that it declares where the image has its data', () => {
    const [[volume, folder]] = feedloom.volumes.map((text: string) => text.split(':'));
    expect(Object.keys(volumes)).toEqual([volume]);
    expect(IMAGE_VOLUMES).toEqual([folder]);
    expect(IMAGE_ENV.get('FEEDLOOM_DATA')).toBe(folder);
  });

  test('publishes the port on which the image listens', () => {
    expect(feedloom.ports.map((text: string) => text.split(':').at(-1))).toEqual(IMAGE_PORTS);
  });
});

describe('the Kubernetes manifest', () => {
  const documents = deployYaml('kubernetes/feedloom.yaml') as { kind: string }[];
  const [service, set] = documents.map((each) => fitting(KUBERNETES[each.kind], each));
  const { template, volumeClaimTemplates, selector } = set.spec;
  const [container] = template.spec.containers;

  test('has a Service for the pods of a StatefulSet', () => {
    expect(documents.map(({ kind }) => kind)).toEqual(['Service', 'StatefulSet']);
    expect(set.spec.serviceName).toBe(service.metadata.name);
    expect(service.spec.selector).toEqual(template.metadata.labels);
    expect(selector.matchLabels).toEqual(template.metadata.labels);
  });

  test('names only ports of the container, in the Service and in probes', () => {
    const names = container.ports.map(({ name }: Checked) => name);
    expect(service.spec.ports.map(({ targetPort }: Checked) => targetPort)).toEqual(names);
    const probes = [container.livenessProbe, container.readinessProbe];
    expect(probes.map(({ httpGet }) => [httpGet.path, httpGet.port])).toEqual([
      ['/healthz', 'http'],
      ['/readyz', 'http'],
    ]);
  });

  test('gives the container the ports on which the service listens', () => {
    const ports = new Map(
      container.ports.map(({ name, containerPort }: Checked) => [name, String(containerPort)]),
    );
    const env = new Map(container.env.map(({ name, value }: Checked) => [name, value]));
    expect([ports.get('http')]).toEqual(IMAGE_PORTS);
    expect(ports.get('metrics')).toBe(env.get('FEEDLOOM_METRICS_PORT'));
  });

  test('keeps the data in the claimed volume, as the account of the image', () => {
    const [mount] = container.volumeMounts;
    expect(mount.name).toBe(volumeClaimTemplates[0].metadata.name);
    const data = container.env.find(({ name }: Checked) => name === 'FEEDLOOM_DATA');
    expect(data.value).toStartWith(`${mount.mountPath}/`);
    const { runAsUser, runAsGroup } = template.spec.securityContext;
    expect(`${runAsUser}:${runAsGroup}`).toBe(IMAGE_USER);
  });
});
