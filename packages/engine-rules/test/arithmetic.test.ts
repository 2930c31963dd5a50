import { describe, expect, it } from "vitest";
import { expressionsOf, play } from "./driver.js";

/** Question, the expression the calculator gets, the final answer. */
const table: readonly (readonly [question: string, expression: string, answer: string])[] = [
  ["What is 15% of 340?", "340 * 15 / 100", "15% of 340 = 51"],
  ["Calculate 15% of 340", "340 * 15 / 100", "15% of 340 = 51"],
  ["Solve step by step: 15% of 340", "340 * 15 / 100", "15% of 340 = 51"],
  ["15 per cent of 60", "60 * 15 / 100", "15% of 60 = 9"],
  ["What's 20% of 20% of 500", "500 * 20 / 100 * 20 / 100", "20% of 20% of 500 = 20"],
  ["15% tip on $80", "80 * 15 / 100", "15% of 80 = 12"],
  ["What is 2+2?", "2 + 2", "2 + 2 = 4"],
  ["WHAT IS 2+2", "2 + 2", "2 + 2 = 4"],
  ["2 + 2 = ?", "2 + 2", "2 + 2 = 4"],
  ['"2+2"', "2 + 2", "2 + 2 = 4"],
  ["What does 2 plus 2 equal?", "2 + 2", "2 + 2 = 4"],
  ["Hello, what is 2 + 2?", "2 + 2", "2 + 2 = 4"],
  ["What is 2+2? Use the calculator tool.", "2 + 2", "2 + 2 = 4"],
  [
    "Please use the calculator tool to compute 17 * 23. Reply with only the number.",
    "17 * 23",
    "17 * 23 = 391",
  ],
  ["What is 15% of 340? Answer in one word.", "340 * 15 / 100", "15% of 340 = 51"],
  ["Could you tell me what 12 * 12 is, please?", "12 * 12", "12 * 12 = 144"],
  ["What is sqrt(256)?", "sqrt(256)", "sqrt(256) = 16"],
  ["what's the square root of 144", "sqrt(144)", "sqrt(144) = 12"],
  ["What is the square root of 144?", "sqrt(144)", "sqrt(144) = 12"],
  ["square root of (16 + 9)", "sqrt(16 + 9)", "sqrt(16 + 9) = 5"],
  ["√16 + 2", "sqrt(16) + 2", "sqrt(16) + 2 = 6"],
  ["cube root of 27", "27**(1 / 3)", "27**(1 / 3) = 3"],
  ["fourth root of 16", "16**(1 / 4)", "16**(1 / 4) = 2"],
  ["12 times 7", "12 * 7", "12 * 7 = 84"],
  ["What's 7 x 8?", "7 * 8", "7 * 8 = 56"],
  ["seven times eight", "7 * 8", "7 * 8 = 56"],
  ["twenty-five plus 17 minus three", "25 + 17 - 3", "25 + 17 - 3 = 39"],
  ["one hundred and five divided by five", "105 / 5", "105 / 5 = 21"],
  ["What is one hundred twenty-three times four?", "123 * 4", "123 * 4 = 492"],
  ["three point five times 2", "3.5 * 2", "3.5 * 2 = 7"],
  ["2.5 million divided by 4", "2500000 / 4", "2500000 / 4 = 625000"],
  ["negative three plus five", "-3 + 5", "-3 + 5 = 2"],
  ["100 divided by 8", "100 / 8", "100 / 8 = 12.5"],
  ["7 // 2", "7 // 2", "7 // 2 = 3"],
  ["2 to the power of 10", "2**10", "2**10 = 1024"],
  ["raise 2 to the power of 5", "2**5", "2**5 = 32"],
  ["2^3^2", "2**3**2", "2**3**2 = 512"],
  ["-2^2", "-2**2", "-2**2 = -4"],
  ["(-2)^2", "(-2)**2", "(-2)**2 = 4"],
  ["5 squared", "5**2", "5**2 = 25"],
  ["5² + 3³", "5**2 + 3**3", "5**2 + 3**3 = 52"],
  ["cube of 3", "3**3", "3**3 = 27"],
  ["half of 90", "90 / 2", "90 / 2 = 45"],
  ["a third of 12", "12 / 3", "12 / 3 = 4"],
  ["What is a third of 12 equal to?", "12 / 3", "12 / 3 = 4"],
  ["two thirds of 90", "90 * 2 / 3", "90 * 2 / 3 = 60"],
  ["1/3 of 12", "12 * 1 / 3", "12 * 1 / 3 = 4"],
  ["double 7", "7 * 2", "7 * 2 = 14"],
  ["increase 80 by 15%", "80 * (100 + 15) / 100", "80 + 15% = 92"],
  ["reduce 200 by 25 percent", "200 * (100 - 25) / 100", "200 - 25% = 150"],
  ["raise 50 by 10", "50 + 10", "50 + 10 = 60"],
  ["80 plus 10 percent", "80 * (100 + 10) / 100", "80 + 10% = 88"],
  ["80 + 10%", "80 * (100 + 10) / 100", "80 + 10% = 88"],
  ["20% off 50", "50 * (100 - 20) / 100", "20% off 50 = 40"],
  ["What percent of 80 is 20?", "20 * 100 / 80", "20 is 25% of 80"],
  ["20 is what percent of 80?", "20 * 100 / 80", "20 is 25% of 80"],
  ["percentage change from 40 to 50", "(50 - 40) * 100 / 40", "from 40 to 50 is a change of 25%"],
  ["remainder of 17 divided by 5", "17 % 5", "17 % 5 = 2"],
  ["What is the remainder when 17 is divided by 5?", "17 % 5", "17 % 5 = 2"],
  ["17 mod 5", "17 % 5", "17 % 5 = 2"],
  ["17 % 5", "17 % 5", "17 % 5 = 2"],
  ["average of 3, 5 and 10", "(3 + 5 + 10) / 3", "(3 + 5 + 10) / 3 = 6"],
  ["sum of 1, 2 and 3", "1 + 2 + 3", "1 + 2 + 3 = 6"],
  ["Find the sum of 12, 15, and 18.", "12 + 15 + 18", "12 + 15 + 18 = 45"],
  ["difference between 10 and 4", "10 - 4", "10 - 4 = 6"],
  ["difference between 4 and 10", "10 - 4", "10 - 4 = 6"],
  ["product of 6 and 7", "6 * 7", "6 * 7 = 42"],
  ["the largest of 3, 9 and 4", "max(3, 9, 4)", "max(3, 9, 4) = 9"],
  ["minimum of 3 and 4", "min(3, 4)", "min(3, 4) = 3"],
  ["max(1,200)", "max(1, 200)", "max(1, 200) = 200"],
  ["add 3 and 4", "3 + 4", "3 + 4 = 7"],
  ["add 5 to 7", "7 + 5", "7 + 5 = 12"],
  ["subtract 5 from 12", "12 - 5", "12 - 5 = 7"],
  ["multiply 6 by 7", "6 * 7", "6 * 7 = 42"],
  ["divide 100 by 8", "100 / 8", "100 / 8 = 12.5"],
  ["5!", "1 * 2 * 3 * 4 * 5", "5! = 120"],
  ["log10 of 1000", "log10(1000)", "log10(1000) = 3"],
  ["log base 2 of 8", "log2(8)", "log2(8) = 3"],
  ["log of 81 base 3", "log(81, 3)", "log(81, 3) = 4"],
  ["log(1)", "log(1)", "log(1) = 0 (log is the natural logarithm)"],
  ["sin(pi/6)", "sin(pi / 6)", "sin(pi / 6) = 0.5"],
  ["sine of 30 degrees", "sin(30 * pi / 180)", "sin(30°) = 0.5"],
  ["cos(0)", "cos(0)", "cos(0) = 1 (the angle is in radians)"],
  ["round 3.14159 to 2 decimal places", "round(3.14159, 2)", "round(3.14159, 2) = 3.14"],
  ["absolute value of -5", "abs(-5)", "abs(-5) = 5"],
  ["floor of 3.7", "floor(3.7)", "floor(3.7) = 3"],
  ["$1,200 * 3", "1200 * 3", "1200 * 3 = 3600"],
  ["5 dollars plus 7 dollars", "5 + 7", "5 + 7 = 12"],
  ["1,000,000 / 1_000", "1000000 / 1000", "1000000 / 1000 = 1000"],
  ["3 × 4 ÷ 2 − 1", "3 * 4 / 2 - 1", "3 * 4 / 2 - 1 = 5"],
  ["3.5 + .5", "3.5 + 0.5", "3.5 + 0.5 = 4"],
  ["10 - -3", "10 - (-3)", "10 - (-3) = 13"],
  ["Compute the following: (3+4)*5 - 6/2", "(3 + 4) * 5 - 6 / 2", "(3 + 4) * 5 - 6 / 2 = 32"],
  ["2(3+4)", "2 * (3 + 4)", "2 * (3 + 4) = 14"],
  ["calculate 9/11 * 11", "9 / 11 * 11", "9 / 11 * 11 = 9"],
  ["What is pi?", "pi", "pi = 3.14159265358979"],
];

const figures: readonly (readonly [question: string, expression: string, answer: string])[] = [
  [
    "What is the area of a circle with radius 7?",
    "pi * 7**2",
    "Area of a circle with radius 7 = 153.9380400259",
  ],
  [
    "circumference of a circle with a diameter of 10 cm",
    "2 * pi * (10 / 2)",
    "Circumference of a circle with a diameter of 10 cm = 31.4159265358979 cm",
  ],
  ["area of a 3 by 4 rectangle", "3 * 4", "Area of a 3 by 4 rectangle = 12"],
  [
    "perimeter of a rectangle with length 3 m and width 4 m",
    "2 * (3 + 4)",
    "Perimeter of a rectangle with length 3 m and width 4 m = 14 m",
  ],
  ["area of a square with side 5 cm", "5**2", "Area of a square with side 5 cm = 25 cm²"],
  [
    "area of a triangle with height 4 and base 6",
    "6 * 4 / 2",
    "Area of a triangle with height 4 and base 6 = 12",
  ],
  [
    "volume of a sphere with radius 3",
    "4 / 3 * pi * 3**3",
    "Volume of a sphere with radius 3 = 113.097335529233",
  ],
  [
    "What is the volume of a cylinder with radius 2 and height 5?",
    "pi * 2**2 * 5",
    "Volume of a cylinder with radius 2 and height 5 = 62.8318530717959",
  ],
  ["surface area of a cube with edge 2", "6 * 2**2", "Surface area of a cube with edge 2 = 24"],
  [
    "hypotenuse of a right triangle with legs 3 and 4",
    "sqrt(3**2 + 4**2)",
    "Hypotenuse of a right triangle with legs 3 and 4 = 5",
  ],
];

describe("arithmetic", () => {
  it.each(table)("%s", async (question, expression, answer) => {
    const played = await play(question);
    expect(expressionsOf(played)).toEqual([expression]);
    expect(played.answer).toBe(answer);
    expect(played.turns).toBe(2);
  });

  it.each(figures)("%s", async (question, expression, answer) => {
    const played = await play(question);
    expect(expressionsOf(played)).toEqual([expression]);
    expect(played.answer).toBe(answer);
  });
});

describe("several questions in one", () => {
  it.each([
    ["What is 2+2 and what is 3*3?", ["2 + 2", "3 * 3"], "2 + 2 = 4\n3 * 3 = 9"],
    ["What is 2+2?\nWhat is 3*3?", ["2 + 2", "3 * 3"], "2 + 2 = 4\n3 * 3 = 9"],
    ["Calculate 2+2, 3*3 and 10/4", ["2 + 2", "3 * 3", "10 / 4"], "2 + 2 = 4\n3 * 3 = 9\n10 / 4 = 2.5"],
    ["Solve 2x = 4, then what is 3*3?", ["4 / 2", "3 * 3"], "x = 2\n3 * 3 = 9"],
    ["Solve x/4 = 3 and 3y = 9", ["3 / 0.25", "9 / 3"], "x = 12\ny = 3"],
  ])("%s", async (question, expressions, answer) => {
    const played = await play(question);
    expect(expressionsOf(played)).toEqual(expressions);
    expect(played.answer).toBe(answer);
    expect(played.turns).toBe(2);
  });

  it("computes the same expression once", async () => {
    const played = await play("What is 2+2? What is 2 plus 2?");
    expect(expressionsOf(played)).toEqual(["2 + 2"]);
    expect(played.answer).toBe("2 + 2 = 4");
  });
});
