/** The exteriors, each from which wear up to which: the lower bound belongs to it, the upper one to the next but for the last (field-notes). */
export const exteriorWear = [
  ['Factory New', 0, 0.07],
  ['Minimal Wear', 0.07, 0.15],
  ['Field-Tested', 0.15, 0.38],
  ['Well-Worn', 0.38, 0.45],
  ['Battle-Scarred', 0.45, 1],
] as const;
