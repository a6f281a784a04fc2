/** Lines of icons, on a field of 24 × 24. */
export const icons = {
  close: 'M6 6l12 12M18 6L6 18',
  clip: 'M20 11.5l-8 8a5 5 0 0 1-7-7l8.5-8.5a3.3 3.3 0 0 1 4.7 4.7l-8.5 8.5a1.7 1.7 0 0 1-2.4-2.4l7.7-7.8',
  send: 'M12 19V5M5.5 11.5L12 5l6.5 6.5',
  bot: 'M12 3l1.9 5.1L19 10l-5.1 1.9L12 17l-1.9-5.1L5 10l5.1-1.9L12 3zM19 16v4M17 18h4',
  file: 'M14 3v5h5M6 3h8l5 5v13H6zM9 13h6M9 17h6',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9.5h.01',
  down: 'M12 5v14M5.5 12.5L12 19l6.5-6.5',
  fold: 'M5 9l7 7 7-7',
  alert: 'M12 8v5M12 16.5h.01M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0z',
} as const;
