import { signal } from '@preact/signals';

export const is_online = signal(navigator.onLine);
addEventListener('online', () => {
  is_online.value = true;
});
addEventListener('offline', () => {
  is_online.value = false;
});
