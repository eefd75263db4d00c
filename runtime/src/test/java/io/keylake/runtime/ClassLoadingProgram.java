/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.keylake.runtime;

/**
 * A user's program in {@link StockSpark}: resolves the named classes with everything they declare.
 */
public final class ClassLoadingProgram {
  private ClassLoadingProgram() {}

  /** Prints each class that could be loaded. */
  public static void main(String[] classNames) throws ClassNotFoundException {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    for (String name : classNames) {
      Class<?> type = Class.forName(name, false, loader);
      int members = type.getDeclaredMethods().length + type.getDeclaredFields().length;
      System.out.println(type.getName() + (members < 0 ? "?" : ""));
    }
  }
}
