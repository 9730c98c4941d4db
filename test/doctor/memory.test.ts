import { expect, test } from 'bun:test';
import { compared } from '../../src/doctor/memory.ts';

const GB = 1e9;
const group = (bytes: number) => ({ bytes, is_of_group: true });

test('nothing is compared before there is a checkpoint or a service', () => {
  expect(compared(group(GB), 0, undefined)).toEqual({
    level: 'ok',
    subject: 'memory',
    message: 'the service may use 1000.0 MB',
  });
});

test('the limit must have room for the service and for the process that writes checkpoints', () => {
  expect(compared(group(4 * GB), 1.4 * GB, 2 * GB)).toMatchObject({
    level: 'ok',
    message:
      'the service may use 4000.0 MB; 2000.0 MB for the service, and 1500.0 MB while a checkpoint is written',
  });
  expect(compared(group(3 * GB), 1.4 * GB, 2 * GB)).toMatchObject({
    level: 'warn',
    message: expect.stringContaining('for the process that writes checkpoints: that one is killed'),
    remedy:
      'raise MemoryMax= (systemd), --memory (containers) or resources.limits.memory (Kubernetes) to 3500.0 MB, or set FEEDLOOM_RETENTION_DAYS',
  });
});

test('a state that does not fit is named before the service runs', () => {
  const finding = compared({ bytes: GB, is_of_group: false }, 1.4 * GB, undefined);
  expect(finding).toMatchObject({
    level: 'warn',
    message: 'the machine has 1000.0 MB, less than 1500.0 MB for the service: it is killed',
    remedy: expect.stringContaining('a machine with more memory, at least 3000.0 MB'),
  });
});
