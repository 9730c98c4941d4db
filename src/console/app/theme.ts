import { effect, signal } from '@preact/signals';

const STORED_AS = 'feedloom.theme';
const THEMES = ['system', 'light', 'dark'] as const;

export type Theme = (typeof THEMES)[number];

function stored(): Theme {
  const found = localStorage.getItem(STORED_AS);
  return THEMES.find((theme) => theme === found) ?? 'system';
}

/** The colours of the console. `system`: as the machine is set. */
export const theme = signal<Theme>(stored());

effect(() => {
  if (theme.value === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
  localStorage.setItem(STORED_AS, theme.value);
});

export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length];
}
