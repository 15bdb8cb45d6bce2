/** Members that a JSON body must not have, whatever it is for. */
export const hostileMembers: readonly string[] = [
  '"__proto__":{"admin":true}',
  '"extra":{"deep":[{"__proto__":{"admin":true}}]}',
  '"extra":"\\u0000"',
  '"extra":"\\ud800"',
  '"extra":["\\udfff"]',
  '"\\u0000":1',
  `"extra":${"[".repeat(40)}${"]".repeat(40)}`,
];
