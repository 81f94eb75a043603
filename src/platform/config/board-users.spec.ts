import { RuleError } from './variable.js';
import { mayAct, readBoardUsers, toBoardUsers, type StaffRole } from './board-users.js';

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

describe('the users of /admin', () => {
  it.each<[list: string, fault: string | undefined]>([
    ['ana:longenough12,eva:longenough34', undefined],
    ['ana:longenough12,Ana:longenough34', undefined],
    [
      'ana:longenough12,ana:longenough34:lectura',
      'must name each user once; users 1 and 2 have the same name',
    ],
    [
      'eva:longenough12,ana:longenough12,ana:longenough12',
      'must name each user once; users 2 and 3 have the same name',
    ],
  ])('are named once each: %s', (list, fault) => {
    const read = () => readBoardUsers(list);
    if (fault === undefined) expect(read()).toHaveLength(2);
    else expect(read).toThrow(new RuleError(fault));
  });
});
