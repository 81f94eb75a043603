import { mayAct, toBoardUsers, type StaffRole } from './board-users.js';

describe('the role of a user of /admin', () => {
  it.each<[role: string, may: StaffRole[], mayNot: StaffRole[]]>([
    [':lectura', ['lectura'], ['soporte', 'despacho', 'admin']],
    ['', ['lectura', 'soporte'], ['despacho', 'admin']],
    [':soporte', ['lectura', 'soporte'], ['despacho', 'admin']],
    [':despacho', ['lectura', 'soporte', 'despacho'], ['admin']],
    [':admin', ['lectura', 'soporte', 'despacho', 'admin'], []],
  ])('may what those before it may, and nothing else (%j)', (role, may, mayNot) => {
    const [user] = toBoardUsers(`ana:clave-de-ana${role}`);
    expect(may.filter((one) => !mayAct(user!, one))).toEqual([]);
    expect(mayNot.filter((one) => mayAct(user!, one))).toEqual([]);
  });
});
