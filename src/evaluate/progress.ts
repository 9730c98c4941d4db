export type Phase = 'reading' | 'applying' | 'asking';

export type OnProgress = (phase: Phase, done: number, total: number) => void;
